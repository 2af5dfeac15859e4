/**
 * Adds a tooltip to each chart with `data-chart`. The tooltip shows the values under the pointer, or at the point
 * chosen with the arrow keys.
 */
for (const figure of document.querySelectorAll('[data-chart]')) addTooltip(figure);

function addTooltip(figure) {
  const { names, bars, points } = JSON.parse(figure.dataset.chart);
  const plot = figure.querySelector('.plot');
  const drawing = plot.querySelector('svg');
  const tip = document.createElement('output');
  tip.className = 'tip';
  tip.hidden = true;
  const cross = document.createElementNS('http://www.w3.org/2000/svg', 'line');
  cross.setAttribute('class', 'cross');
  cross.setAttribute('y2', '92%');
  cross.setAttribute('visibility', 'hidden');
  drawing.append(cross);
  plot.append(tip);
  plot.tabIndex = 0;
  plot.setAttribute('role', 'group');
  plot.setAttribute(
    'aria-label',
    `${figure.querySelector('figcaption').textContent}. Use the arrow keys to read the values.`,
  );
  let chosen = points.length - 1;
  const last = points.length - 1;
  // A bar, or the only point of a line, is in the middle of its share of the chart's width. Other points are at the
  // edges of these shares.
  const isMiddle = bars || last === 0;
  const shareOf = (index) => (isMiddle ? (index + 0.5) / points.length : index / last);
  const indexAt = (share) => (isMiddle ? Math.floor(share * points.length) : Math.round(share * last));

  const show = (index) => {
    chosen = Math.max(0, Math.min(points.length - 1, index));
    const [label, ...values] = points[chosen];
    const lines = values.map(([value, note, mark = ''], line) => {
      const number = value === null ? '–' : mark + value.toLocaleString('en-US');
      return [values.length > 1 ? `${names[line]}:` : '', number, note ? `(${note})` : ''].filter(Boolean).join(' ');
    });
    tip.textContent = `${label} · ${lines.join(' · ')}`;
    tip.hidden = false;
    const percent = shareOf(chosen) * 100;
    for (const end of ['x1', 'x2']) cross.setAttribute(end, `${percent}%`);
    cross.setAttribute('visibility', 'visible');
    const left = (plot.clientWidth * percent) / 100;
    tip.style.left = `${Math.max(0, Math.min(plot.clientWidth - tip.offsetWidth, left - tip.offsetWidth / 2))}px`;
  };
  const hide = () => {
    tip.hidden = true;
    cross.setAttribute('visibility', 'hidden');
  };
  plot.addEventListener('pointermove', ({ clientX }) => {
    const { left, width } = plot.getBoundingClientRect();
    show(indexAt((clientX - left) / width));
  });
  plot.addEventListener('pointerleave', hide);
  plot.addEventListener('focus', () => show(chosen));
  plot.addEventListener('blur', hide);
  plot.addEventListener('keydown', (event) => {
    const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -points.length, End: points.length };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    show(chosen + step);
  });
}
