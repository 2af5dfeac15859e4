import { workerData } from 'node:worker_threads';
import { answerRequests } from './http-answers.ts';

answerRequests(workerData);
