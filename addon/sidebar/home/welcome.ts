import { installKind } from '../../platform/install.ts';
import type { Account, KeyView, PageFailure } from '../../platform/page-replies.ts';
import { keysInOrder, showAccount } from '../account.ts';
import { callServer } from '../call.ts';
import {
  byId,
  counted,
  onClick,
  onSubmit,
  setText,
  show,
  showFailure,
  showFieldFailure,
  whileBusy,
} from '../elements.ts';
import { choices, rememberNow, whenRecalled } from './remembered.ts';
import { showScreen } from './screens.ts';

const boundGetKey =
  'Sign in and make a sheet key. It has a monthly cap, the most credits that it can spend in a month. Everyone who can edit this file can read its script, so other keys are not safe here.';
const boundKeyHint =
  'It is saved in this file. Formulas of everyone who can edit the file use it, up to its monthly cap.';

/**
 * Sets up the screens for the first use of the add-on: the sample data, the input for the API key, and the question who
 * may use the key.
 */
export function startWelcome(): { showAccount: (account: Account) => void } {
  let own: KeyView | null = null;
  // The API key that the user pasted, kept until the user has answered who may use it. If everyone may use it and it is
  // of the kind “Sheet”, it is also saved in the spreadsheet.
  let pasted = '';
  const openKeyScreen = (): void => {
    showScreen('welcome-key');
    byId('get-key', HTMLAnchorElement).focus();
  };
  whenRecalled(showSamplesState);
  if (installKind() === 'bound') {
    setText('get-key-words', boundGetKey);
    setText('first-key-hint', boundKeyHint);
  }
  onClick('try-samples', () => void insertSamples());
  onClick('start-key', openKeyScreen);
  onClick('key-back', () => {
    showScreen('welcome-start');
    byId('start-key', HTMLButtonElement).focus();
  });
  onSubmit('first-key-form', () => {
    const key = byId('first-key', HTMLInputElement).value;
    void connect(key, () => {
      pasted = key;
    });
  });
  const answer = async (buttonId: string, yes: boolean): Promise<void> => {
    const work = () => saveAnswer(yes, own?.kind === 'sheet' ? pasted : '');
    const reply = await whileBusy(buttonId, 'Saving…', () => keysInOrder(work), ['share-yes', 'share-no']);
    showFailure('share-error', reply);
    if (!reply.ok) return;
    pasted = '';
    rememberNow({ asked: true });
    showAccount(reply);
    byId('tab-home', HTMLButtonElement).focus();
  };
  onClick('share-yes', () => void answer('share-yes', true));
  onClick('share-no', () => void answer('share-no', false));
  return {
    showAccount({ keys }) {
      own = keys.account;
      if (own === null) pasted = '';
      else showQuestion(own);
    },
  };
}

async function insertSamples(): Promise<void> {
  setText('samples-done', '');
  const reply = await whileBusy('try-samples', 'Filling five rows…', () => callServer('sidebarSamples'));
  showFailure('samples-error', reply);
  if (!reply.ok) return;
  rememberNow({ samples: true });
  showSamplesState();
  setText('samples-done', reply.message);
  byId('start-key', HTMLButtonElement).focus();
}

/**
 * Highlights the button that the user needs next: after the sample data was tried, the button to connect an API key.
 */
function showSamplesState(): void {
  const tried = choices().samples === true;
  byId('try-samples', HTMLButtonElement).className = tried ? '' : 'primary';
  byId('start-key', HTMLButtonElement).className = tried ? 'primary' : '';
  show('samples-hint', !tried);
}

async function connect(key: string, connected: () => void): Promise<void> {
  const input = byId('first-key', HTMLInputElement);
  const location = installKind() === 'bound' ? 'file' : 'account';
  const reply = await whileBusy('first-connect', 'Checking…', () =>
    keysInOrder(() => callServer('sidebarConnect', location, key)),
  );
  showFieldFailure(input.id, 'first-key-error', reply);
  if (!reply.ok) return;
  input.value = '';
  connected();
  showAccount(reply);
  const question = byId('welcome-share', HTMLElement).hidden ? 'tab-home' : 'share-heading';
  byId(question, HTMLElement).focus();
}

function saveAnswer(yes: boolean, sheetKey: string): Promise<Account | PageFailure> {
  return yes && sheetKey !== ''
    ? callServer('sidebarConnect', 'file', sheetKey)
    : callServer('sidebarAllowFormulas', yes);
}

function showQuestion({ workspace, kind, monthly_cap }: KeyView): void {
  const whose = workspace === null ? 'your credits' : `the credits of ${workspace}`;
  setText('share-words', `Everyone who can edit this file can then spend ${whose} through formulas.`);
  const capNote =
    monthly_cap === null
      ? 'This key has no monthly cap. In a file that you share, a sheet key is safer.'
      : `At most ${counted(monthly_cap, 'credit', 'credits')} per month: the monthly cap of this key.`;
  setText(
    'share-note',
    kind === 'test' ? 'This is a development key: it gives sample data and costs nothing.' : capNote,
  );
}
