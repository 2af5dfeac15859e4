import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contrastWithWhite, logoType, maxLogoBytes } from '../../../server/dashboard/reports/logo.ts';
import { freezeWeek, keepCampaign } from '../campaigns/campaign-workspace.ts';
import { createDashboardSetup, type DashboardSetup, type Member } from '../dashboard-server.ts';

let setup: DashboardSetup;
let ann: Member;
beforeAll(async () => {
  setup = await createDashboardSetup();
  ann = await setup.member({ tier: 'ultra' });
});
afterAll(() => setup.close());

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0]);

async function save(fields: Record<string, string>, logo: Buffer<ArrayBuffer> | null = null, type = 'image/png') {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  if (logo) form.set('logo', new File([logo], 'logo.png', { type }));
  return fetch(`${setup.base_url}/dashboard/branding`, {
    method: 'POST',
    body: form,
    redirect: 'manual',
    headers: { cookie: ann.cookie, origin: setup.base_url },
  });
}

describe('the branding of reports', () => {
  test('a shared and a printed report show the logo, color and footer of the workspace', async () => {
    const { campaign_id } = await keepCampaign(setup, ann, { items: 2 });
    const reportId = await freezeWeek(setup, ann, campaign_id);
    expect((await save({ color: '#0a5f73', footer: 'Ada & Co <b>' }, png)).status).toBe(303);
    const made = await ann.post(`/dashboard/campaigns/${campaign_id}/shares`, { report: reportId, days: '7' });
    const shared = /\/shared\/reports\/[\w-]{43}/.exec(await made.text())?.[0];
    const pages = [
      await (await ann.get(`/dashboard/campaigns/${campaign_id}/reports/${reportId}/print`)).text(),
      await (await fetch(`${setup.base_url}${shared}`)).text(),
    ];
    for (const page of pages) {
      expect(page).toContain(`src="data:image/png;base64,${png.toString('base64')}"`);
      expect(page).toContain('fill="#0a5f73"');
      expect(page).toContain('Ada &amp; Co &lt;b&gt;');
    }
    expect(pages[1]).not.toContain('href="/prices"');
  });

  test('saving the report branding without a file keeps the logo, and the checkbox removes the logo', async () => {
    await save({}, png);
    await save({ footer: 'new' });
    expect(await (await ann.get('/dashboard/branding')).text()).toContain('data:image/png');
    await save({ remove_logo: 'yes' });
    expect(await (await ann.get('/dashboard/branding')).text()).not.toContain('data:image/png');
  });

  test('the branding form refuses SVG with a .png name, a file that is too large, and a color on which white text is hard to read', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    const large = Buffer.concat([png, Buffer.alloc(maxLogoBytes)]);
    const answers = [
      await save({}, svg),
      await save({}, large),
      await save({ color: '#ffee00' }),
      await save({ color: 'red"/>' }),
      await save({ footer: 'x'.repeat(201) }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
    expect(await answers[2]?.text()).toContain('White text is hard to read on #ffee00');
  });
});

test('the file type of a logo is recognized by its first bytes', () => {
  expect(logoType(png)).toBe('image/png');
  expect(logoType(Buffer.from([0xff, 0xd8, 0xff, 0xe0]))).toBe('image/jpeg');
  expect(logoType(Buffer.from('RIFF\0\0\0\0WEBPVP8 '))).toBe('image/webp');
  for (const other of ['', 'RIFF', 'GIF89a', '<svg', 'RIFF\0\0\0\0WAVE'])
    expect(logoType(Buffer.from(other))).toBeNull();
});

test('the contrast of a brand color with white follows WCAG', () => {
  expect(contrastWithWhite('#ffffff')).toBeCloseTo(1);
  expect(contrastWithWhite('#000000')).toBeCloseTo(21);
  expect(contrastWithWhite('#767676')).toBeCloseTo(4.54, 1);
});
