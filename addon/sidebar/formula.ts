import {
  type BuilderChoice,
  type BuilderFormula,
  builderFormulas,
  buildFormula,
  findFormula,
} from '../formulas/builder/formula-builder.ts';
import { refreshName } from '../formulas/max-age.ts';
import { reportSections } from '../formulas/report-tables.ts';
import { callServer } from './call.ts';
import { showCampaigns } from './campaigns.ts';
import {
  byId,
  isBusy,
  onClick,
  onSubmit,
  selectKnown,
  setOptions,
  setText,
  show,
  showCalculating,
  showFailure,
  whileBusy,
} from './elements.ts';
import { showAges, showTicks, tickedFields } from './field-choices.ts';
import { choices, remember, whenRecalled } from './home/remembered.ts';
import { createPress } from './new-id.ts';
import { createNewest } from './order.ts';
import { costText, type Picked, pickCells } from './picked-cells.ts';

const beginCost = createNewest();
const press = createPress();
const hiddenFields = ['url', 'status'];
const sectionLabels: Record<(typeof reportSections)[number], string> = {
  totals: 'Totals',
  items: 'Items',
  series: 'Numbers over time',
  notes: 'Notes',
  coverage: 'Which numbers exist',
};
const platformLabels = [
  ['instagram', 'Instagram'],
  ['tiktok', 'TikTok'],
  ['youtube', 'YouTube'],
] as const;

/**
 * Sets up the section of the sidebar in which users put a formula together.
 *
 * @returns the function to call when the section is shown.
 */
export function startFormula(): () => void {
  let picked: Picked = null;
  const update = (): void => {
    setText('formula-done', '');
    setText('formula-error', '');
    showPreview(picked);
  };
  const pick = async (byUser: boolean): Promise<void> => {
    picked = await pickCells('formula', byUser);
    update();
    await showCost(picked);
  };
  setOptions(
    'formula-name',
    builderFormulas.map(({ name, label }) => [name, label] as const),
    'SOCIAL_PROFILE',
  );
  setOptions(
    'formula-section',
    reportSections.map((section) => [section, sectionLabels[section]] as const),
    'totals',
  );
  setOptions('formula-platform', [['', 'No handles, only links'], ...platformLabels], '');
  showAges('formula-age', [[refreshName, 'As set in the refresh cell']]);
  onClick('formula-pick', () => void pick(true));
  onSubmit('formula-form', () => void insert(picked));
  const changeFormula = (): void => {
    showArguments(update, () => showPreview(picked));
    update();
    void showCost(picked);
  };
  byId('formula-name', HTMLSelectElement).addEventListener('change', changeFormula);
  byId('formula-age', HTMLSelectElement).addEventListener('change', () => {
    remember({ ages: { formula: byId('formula-age', HTMLSelectElement).value } });
  });
  byId('formula-platform', HTMLSelectElement).addEventListener('change', () => {
    remember({ platforms: { formula: byId('formula-platform', HTMLSelectElement).value } });
  });
  for (const id of ['formula-age', 'formula-limit', 'formula-platform']) {
    byId(id, HTMLElement).addEventListener('change', () => void showCost(picked));
  }
  byId('formula-form', HTMLFormElement).addEventListener('input', update);
  whenRecalled(() => {
    selectKnown('formula-age', choices().ages?.formula);
    selectKnown('formula-platform', choices().platforms?.formula);
    changeFormula();
  });
  return () => {
    if (picked === null && !isBusy('formula-pick')) void pick(false);
  };
}

function chosenFormula(): BuilderFormula | undefined {
  return findFormula(byId('formula-name', HTMLSelectElement).value);
}

function showArguments(changed: () => void, campaignsLoaded: () => void): void {
  const formula = chosenFormula();
  if (formula === undefined) return;
  const { args } = formula;
  show('formula-cells', args.includes('area'));
  setText('formula-takes', formula.takes);
  show('formula-campaign-row', args.includes('campaign'));
  show('formula-platform-row', args.includes('platform'));
  show('formula-limit-row', args.includes('limit'));
  show('formula-days-row', args.includes('days'));
  show('formula-age-row', args.includes('max_age'));
  const fields = formula.choices.filter((field) => !hiddenFields.includes(field));
  show('formula-fields', fields.length > 0);
  setText('formula-fields-legend', args.includes('metrics') ? 'Metrics' : 'Columns');
  showTicks('formula-fields', fields, choices().fields?.[formula.name] ?? formula.usual, () => {
    remember({ fields: { [formula.name]: tickedFields('formula-fields') } });
    changed();
  });
  if (args.includes('campaign')) void showCampaigns('formula-campaign', 'formula-error').then(campaignsLoaded);
}

function readChoice(picked: Picked): BuilderChoice {
  const value = (id: string): string => byId(id, HTMLInputElement).value.trim();
  const chosen = (id: string): string => byId(id, HTMLSelectElement).value;
  return {
    name: chosen('formula-name'),
    area: picked === null ? null : { sheet: picked.sheet, a1: picked.a1 },
    ticked: tickedFields('formula-fields'),
    limit: value('formula-limit'),
    days: value('formula-days'),
    campaign: chosen('formula-campaign'),
    section: chosen('formula-section'),
    max_age: chosen('formula-age'),
    platform: chosen('formula-platform'),
  };
}

/** Shows the formula that the add-on would write for the current choices, or which value is missing. */
function showPreview(picked: Picked): void {
  const built = buildFormula(readChoice(picked), picked?.sheet ?? '');
  setText('formula-preview', 'formula' in built ? built.formula : built.missing);
}

async function showCost(picked: Picked): Promise<void> {
  const isNewest = beginCost();
  const formula = chosenFormula();
  if (formula === undefined || formula.estimate === null) {
    setText('formula-cost', 'Costs no credits.');
    return;
  }
  if (picked === null) {
    setText('formula-cost', '');
    return;
  }
  showCalculating('formula-cost', 'Calculating the cost…');
  const age = byId('formula-age', HTMLSelectElement).value;
  const limit = byId('formula-limit', HTMLInputElement).value.trim();
  const platform = byId('formula-platform', HTMLSelectElement).value;
  const text = await costText(picked, age === refreshName ? 'fresh' : age, formula.name, limit, platform);
  if (isNewest()) setText('formula-cost', text);
}

async function insert(picked: Picked): Promise<void> {
  setText('formula-done', '');
  const reply = await whileBusy('formula-insert', 'Inserting…', () =>
    callServer('sidebarInsertFormula', readChoice(picked), press.id()),
  );
  press.answered(reply);
  showFailure('formula-error', reply);
  setText('formula-done', reply.ok ? reply.message : '');
}
