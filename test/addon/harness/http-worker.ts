import { workerData } from 'node:worker_threads';
import { answerLink, sendAll } from './http-answers.ts';

answerLink(workerData, sendAll);
