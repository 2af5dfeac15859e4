import { logoShapes } from '../../server/design/icons.ts';

/** Size of the link preview picture in pixels. Social networks and chats show this size without cutting. */
const openGraphSize = { width: 1_200, height: 630 } as const;

const days = 40;
/** Invented values for the line in the picture: a slow rise with a weekly wave. */
const values = Array.from(
  { length: days },
  (_, day) => 0.18 + (0.6 * day) / days + 0.06 * Math.sin((day * 2 * Math.PI) / 7),
);

/**
 * Returns the picture that chats and social networks show beside a link to this server, as SVG: the name, the slogan
 * and a rising line.
 */
export function openGraphSvg(): string {
  const { width, height } = openGraphSize;
  const x = (index: number) => ((index * width) / (days - 1)).toFixed(1);
  const y = (value: number) => (height - 20 - value * 250).toFixed(1);
  const line = values.map((value, index) => `${x(index)},${y(value)}`).join('L');
  const font = 'font-family="\'Inter Variable\', Inter, sans-serif"';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<title>Tidemark: public social data, in your spreadsheet</title>
<rect width="${width}" height="${height}" fill="#0f1720"/>
<path d="M0 ${height}L${line}L${width} ${height}z" fill="#2563d9" fill-opacity=".28"/>
<path d="M${line}" fill="none" stroke="#7fb0ff" stroke-width="6" stroke-linejoin="round"/>
<g transform="translate(80 76) scale(2.75)">${logoShapes}</g>
<text x="192" y="140" ${font} font-size="56" font-weight="650" fill="#fff">Tidemark</text>
<text x="80" y="258" ${font} font-size="62" font-weight="650" fill="#fff">Public social data,</text>
<text x="80" y="332" ${font} font-size="62" font-weight="650" fill="#fff">in your spreadsheet</text>
<text x="80" y="392" ${font} font-size="30" fill="#c3cedb">Followers, views and comments from Instagram, TikTok and YouTube</text>
</svg>
`;
}
