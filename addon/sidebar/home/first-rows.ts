import type { FirstRows, FirstRowsRange } from '../../first-run/first-rows.ts';
import type { Account, PageFailure } from '../../platform/page-replies.ts';
import { refreshAccount } from '../account.ts';
import { callServer } from '../call.ts';
import { countDown } from '../countdown.ts';
import { byId, counted, onClick, onSubmit, setText, show, showFailure, whileBusy } from '../elements.ts';
import { createPress } from '../new-id.ts';
import { type Picked, pickCells, pickedText } from '../picked-cells.ts';

const press = createPress();
/** Maximum number of checks, one per second, for the result of the formula that the sidebar has just inserted. */
const maxLooks = 20;
const noKey =
  'This file belongs to someone else, so its formulas cannot use your key. Import values instead, or add a sheet key under Keys.';
const noSpace = 'There is not enough space for the table. Clear the cells below and to the right of its first cell.';

type FirstRowsCard = {
  showAccount: (account: Account) => void;
  showPicked: (picked: Picked) => void;
  pick: (byUser: boolean) => Promise<void>;
};

/**
 * Sets up the card in the Home section that gets data for the selected cells. `openImports` opens the section Imports.
 */
export function startFirstRows(openImports: () => void): FirstRowsCard {
  let picked: Picked = null;
  let withFormula = true;
  const showCard = (): void => {
    const usable = picked !== null && /[/@.]/.test(picked.first);
    const profiles = counted(picked?.urls ?? 0, 'profile', 'profiles');
    show('first-rows-insert', usable);
    show('first-rows-picked', usable);
    setText('first-rows-insert', withFormula ? `Get data for ${profiles}` : `Import values for ${profiles}`);
    setText('first-rows-picked', picked === null ? '' : pickedText(picked));
    setText('first-rows-hint', usable ? usableHint(picked, withFormula) : unusableHint(picked));
    byId('first-rows-pick', HTMLButtonElement).className = usable ? 'quiet' : 'primary';
  };
  const card: FirstRowsCard = {
    showAccount({ formulas }) {
      withFormula = formulas !== null;
      showCard();
    },
    showPicked(selection) {
      picked = selection;
      showCard();
    },
    async pick(byUser) {
      card.showPicked(await pickCells('first-rows', byUser));
    },
  };
  onClick('first-rows-pick', () => {
    setText('first-rows-done', '');
    setText('first-rows-error', '');
    void card.pick(true);
  });
  onSubmit('first-rows-form', () => {
    if (picked === null) void card.pick(true);
    else if (!withFormula) openImports();
    else void insert(picked).then((inserted) => card.showPicked(inserted ? null : picked));
  });
  return card;
}

function usableHint(picked: Picked, withFormula: boolean): string {
  if (!withFormula) return 'Formulas in this file do not use your key, so the data is written as values.';
  return `Name, followers and more, in free columns to the right. Costs at most ${counted(picked?.urls ?? 0, 'credit', 'credits')}.`;
}

function unusableHint(picked: Picked): string {
  return picked === null
    ? 'In your sheet, select the cells with profile links, such as A2:A20.'
    : 'The first selected cell has no profile link. Select only the cells with links, without the heading.';
}

/**
 * Inserts a SOCIAL_PROFILE formula for the picked cells and waits for its result. Returns true when the formula is in
 * the sheet.
 */
async function insert({ sheet, a1 }: NonNullable<Picked>): Promise<boolean> {
  setText('first-rows-done', '');
  const work = async (): Promise<FirstRows | PageFailure> => {
    const inserted = await callServer('sidebarFirstRows', { sheet, a1 }, press.id());
    press.answered(inserted);
    return inserted.ok ? await waitForRows(inserted.range) : inserted;
  };
  const reply = await whileBusy('first-rows-insert', 'Getting data…', work, ['first-rows-pick']);
  const failure = failureOf(reply);
  showFailure('first-rows-error', failure ?? { ok: true });
  setText('first-rows-done', failure === null && reply.ok ? doneText(reply) : '');
  void refreshAccount();
  return failure === null;
}

async function waitForRows(range: FirstRowsRange): Promise<FirstRows | PageFailure> {
  let reply = await callServer('sidebarFirstRowsResult', range);
  for (let looks = 1; looks < maxLooks && reply.ok && reply.state === 'loading'; looks++) {
    await countDown(1, new AbortController().signal, () => {});
    reply = await callServer('sidebarFirstRowsResult', range);
  }
  return reply;
}

function failureOf(reply: FirstRows | PageFailure): PageFailure | null {
  if (!reply.ok) return reply;
  if (reply.state === 'no_key') return { ok: false, message: noKey };
  return reply.state === 'no_space' ? { ok: false, message: noSpace } : null;
}

function doneText({ state, good, failed }: FirstRows): string {
  if (state === 'loading') return 'Google Sheets is still loading the rows. They appear in the sheet by themselves.';
  const rows = `${counted(good, 'row is', 'rows are')} in your sheet.`;
  return failed === 0 ? rows : `${rows} The status column says why ${counted(failed, 'row is', 'rows are')} empty.`;
}
