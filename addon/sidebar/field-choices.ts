import { fieldLabel } from '../formulas/field-labels.ts';
import { maxAges, usualMaxAge } from '../formulas/max-age.ts';
import { byId, createElement, setOptions } from './elements.ts';

const ageLabels: Record<string, string> = {
  '1d': '1 day',
  '3d': '3 days',
  '7d': '7 days',
  '14d': '14 days',
  '30d': '30 days',
  fresh: 'Always get new data',
};

/**
 * Fills a select element with the options for the maximum age of data. `more`: further options, which come after these.
 */
export function showAges(selectId: string, more: readonly (readonly [string, string])[] = []): void {
  const ages = maxAges.map((age) => [age, ageLabels[age] ?? age] as const);
  setOptions(selectId, [...ages, ...more], usualMaxAge);
}

/** Shows a checkbox for each field. Calls `changed` when the user ticks or unticks one. */
export function showTicks(
  fieldsetId: string,
  fields: readonly string[],
  ticked: readonly string[],
  changed: () => void,
): void {
  const boxes = fields.map((field) => {
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.value = field;
    box.checked = ticked.includes(field);
    box.addEventListener('change', changed);
    const label = createElement('label', '', 'choice');
    label.append(box, createElement('span', fieldLabel(field)));
    return label;
  });
  byId(fieldsetId, HTMLElement)
    .querySelector('.ticks')
    ?.replaceChildren(...boxes);
}

/** Returns the fields whose checkboxes are ticked, in the order of the checkboxes. */
export function tickedFields(fieldsetId: string): string[] {
  const boxes = byId(fieldsetId, HTMLElement).querySelectorAll<HTMLInputElement>('input:checked');
  return [...boxes].map((box) => box.value);
}
