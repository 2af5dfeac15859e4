/**
 * Adds a tooltip to the bars with `data-days`. The tooltip names the day under the pointer, or the day chosen with the
 * arrow keys: left and right change the day, up and down change the row. The Tab key stops once for all rows together.
 */
const dayText = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
const dayRows = [...document.querySelectorAll('svg[data-days]')];
if (dayRows.length > 0) addDayTooltip(dayRows);

function addDayTooltip(rows) {
  const tip = document.createElement('output');
  tip.className = 'tip';
  tip.hidden = true;
  const mark = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  for (const [name, value] of Object.entries({ class: 'chosen', width: 8, height: 28, rx: 2 }))
    mark.setAttribute(name, value);
  let chosen = Number.POSITIVE_INFINITY;

  const show = (row, index) => {
    const texts = row.dataset.days.split('|');
    chosen = Math.max(0, Math.min(texts.length - 1, index));
    const day = dayText.format(Date.parse(row.dataset.first) + chosen * 86_400_000);
    if (mark.parentNode !== row) {
      row.append(mark);
      row.after(tip);
    }
    mark.setAttribute('x', chosen * 10);
    tip.textContent = `${day}: ${texts[chosen]}`;
    tip.hidden = false;
    const middle = (row.clientWidth * (chosen + 0.4)) / texts.length - tip.offsetWidth / 2;
    tip.style.left = `${Math.max(0, Math.min(row.clientWidth - tip.offsetWidth, middle))}px`;
  };
  const hide = () => {
    tip.hidden = true;
    mark.remove();
  };
  for (const [at, row] of rows.entries()) {
    row.tabIndex = at === 0 ? 0 : -1;
    const count = row.dataset.days.split('|').length;
    const pointAt = ({ clientX }) => {
      const { left, width } = row.getBoundingClientRect();
      show(row, Math.floor(((clientX - left) / width) * count));
    };
    row.addEventListener('pointermove', pointAt);
    row.addEventListener('pointerdown', pointAt);
    row.addEventListener('pointerleave', hide);
    row.addEventListener('focus', () => {
      for (const other of rows) other.tabIndex = other === row ? 0 : -1;
      show(row, chosen);
    });
    row.addEventListener('blur', hide);
    row.addEventListener('keydown', (event) => {
      const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -count, End: count };
      const next = { ArrowUp: rows[at - 1], ArrowDown: rows[at + 1] }[event.key];
      if (next) next.focus();
      else if (steps[event.key] !== undefined) show(row, chosen + steps[event.key]);
      else return;
      event.preventDefault();
    });
  }
}
