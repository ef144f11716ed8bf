import type { Page } from '@playwright/test';
import { findViolations } from '../support/accessible.ts';
import { expect, test } from '../support/journey.ts';
import { newEmail } from '../support/makers.ts';

const FEATURES = [
  ['Image background changer', '1 credit'],
  ['Video background changer', 'from 2 credits'],
  ['Free image background removal', 'free above, 1 credit signed in'],
  ['Dress changer', '1 credit'],
] as const;
const PACKAGES = [
  ['Basic', '$10', '10 credits', '10 image edits, or 5 basic videos, or 2 product videos'],
  ['Standard', '$15', '20 credits', '20 image edits, or 10 basic videos, or 4 product videos'],
  ['Premium', '$20', '30 credits', '30 image edits, or 15 basic videos, or 6 product videos'],
] as const;
const CLAIMS = [
  'JPEG, PNG or WebP, up to 12MB',
  'Deleted after 48 hours',
  'Fast',
  'AI-powered',
  'Secure and private',
  'for most image edits. Videos take 2-3 minutes, and you can keep working meanwhile.',
  'Uploads and results are deleted after 48 hours. Your content is not sold or shared with third parties.',
  'Prices in US dollars. Purchased credits are non-refundable.',
  '12,380',
  'products visualized',
];
const FOOTER = [
  ['Background Customization', '/dashboard/text-to-image'],
  ['Remover Background', '/dashboard/remover'],
  ['Dress Changer', '/dashboard/dress-change'],
  ['Product Video Generate', '/dashboard/image-to-video'],
  ['Headshot Generator', '/dashboard/headshot-generator'],
  ['Contact', /^mailto:/],
  ['Follow us', /^https:/],
  ['Credits', '/dashboard/credits'],
  ['Status', '/status'],
  ['Privacy Policy', '/privacy'],
  ['Terms of Service', '/terms'],
] as const;

const slider = (page: Page) => page.getByRole('slider', { name: 'Compare before and after' });
const pick = (page: Page, name: string) => page.getByRole('radio', { name });

/** Opens the page and returns its console messages; there should be none. */
async function open(page: Page, path = '/'): Promise<string[]> {
  const messages: string[] = [];
  page.on('console', (message) => messages.push(message.text()));
  await page.goto(path);
  await page.waitForLoadState('networkidle');
  return messages;
}

/** Lists the hero's loaded pictures, for example "mug before". */
function listHeroPictures(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => /hero-(\w+)-(before|after)-/.exec(name))
      .filter((found) => found !== null)
      .map(([, pair, side]) => `${pair} ${side}`)
      .sort(),
  );
}

test('the start page has every text of the specification, and its parts work', async ({ page }) => {
  const messages = await open(page);
  expect(await listHeroPictures(page)).toEqual(['candle after', 'candle before']);
  await expect(page).toHaveTitle('Plinth: product pictures that sell');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Every product deserves a plinth.');
  for (const [name, price] of FEATURES) {
    const card = page.locator('#features').getByRole('listitem').filter({ hasText: name });
    await expect(card.getByText(price, { exact: true })).toBeVisible();
    await expect(card.getByRole('link', { name: new RegExp(`^Try it ?: ${name}$`) })).toHaveAttribute(
      'href',
      /^\/login\?to=%2Fdashboard%2F[a-z-]+$/,
    );
  }
  for (const claim of CLAIMS) await expect(page.getByText(claim, { exact: true })).toBeVisible();
  await expect(page.locator('.mosaic').getByRole('figure')).toHaveCount(5);
  await expect(page.locator('#faq details')).toHaveCount(6);
  await expect(page.getByRole('heading', { name: /^Featured on/ })).toBeVisible();
  for (const [name, href] of FOOTER) {
    const link = page.getByRole('contentinfo').getByRole('link', { name, exact: true });
    await expect(link).toHaveAttribute('href', href);
  }
  await test.step('three packages with what they buy; Standard is the popular one', () => expectPackages(page));
  await test.step('one question is open at a time', () => askQuestions(page));
  await test.step('the seam moves by mouse and keyboard', () => moveSeam(page));
  await test.step('picking another pair shows it and resets the seam', () => pickPairs(page));
  expect(messages).toEqual([]);
  await test.step('the sections of the top bar scroll to 80 px below the edge', () => followSections(page));
});

async function expectPackages(page: Page): Promise<void> {
  const cards = page.locator('#pricing .package');
  await expect(cards).toHaveCount(3);
  for (const [index, [name, price, credits, makes]] of PACKAGES.entries()) {
    const card = cards.nth(index);
    await expect(card.getByRole('heading')).toHaveText(name);
    for (const text of [price, credits, makes, 'Generated content is stored for 2 days'])
      await expect(card.getByText(text, { exact: true })).toBeVisible();
    await expect(card.getByRole('link', { name: `Choose ${name}` })).toHaveAttribute(
      'href',
      `/login?to=%2Fdashboard%2Fcredits%3Fpackage%3D${name.toLowerCase()}`,
    );
    await expect(card.getByText('Popular', { exact: true })).toHaveCount(name === 'Standard' ? 1 : 0);
  }
}

async function askQuestions(page: Page): Promise<void> {
  const openOnes = page.locator('#faq details[open]');
  await expect(openOnes).toHaveText(/What if a generation fails\?/);
  const questions = page.locator('#faq summary');
  for (const index of [0, 5, 2]) {
    await questions.nth(index).focus();
    await page.keyboard.press('Enter');
    await expect(openOnes).toHaveCount(1);
    await expect(questions.nth(index).locator('xpath=..')).toHaveAttribute('open', '');
  }
  await page.keyboard.press('Enter');
  await expect(openOnes).toHaveCount(0);
}

async function moveSeam(page: Page): Promise<void> {
  await expect(slider(page)).toHaveAttribute('aria-valuetext', '47% of your photo shown');
  await slider(page).scrollIntoViewIfNeeded();
  const box = await slider(page).boundingBox();
  if (box === null) throw new Error('the slider is not there');
  await page.mouse.move(box.x + box.width * 0.47, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.8, box.y + box.height / 2, { steps: 5 });
  await page.mouse.up();
  await expect.poll(async () => Number(await slider(page).inputValue())).toBeGreaterThan(70);
  await slider(page).press('Home');
  await slider(page).press('ArrowRight');
  await expect(slider(page)).toHaveAttribute('aria-valuetext', '1% of your photo shown');
  await slider(page).press('End');
  await expect(slider(page)).toHaveAttribute('aria-valuetext', '100% of your photo shown');
}

async function pickPairs(page: Page): Promise<void> {
  await pick(page, 'Scented candle').focus();
  await page.keyboard.press('ArrowRight');
  await expect(pick(page, 'Stoneware mug')).toBeChecked();
  await expect(page.getByRole('img', { name: /^The same red mug/ })).toBeVisible();
  await expect(page.getByRole('img', { name: /^The same white candle/ })).toBeHidden();
  await expect(slider(page)).toHaveAttribute('aria-valuetext', '47% of your photo shown');
  await pick(page, 'Vitamin serum').click();
  await expect(page.getByRole('img', { name: /^The same brown bottle/ })).toBeVisible();
  await expect.poll(() => listHeroPictures(page)).toHaveLength(6);
}

async function followSections(page: Page): Promise<void> {
  for (const name of ['Features', 'Pricing', 'Reviews', 'FAQ']) {
    const link = page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name });
    const target = page.locator((await link.getAttribute('href')) ?? '');
    await link.click();
    await expect.poll(async () => Math.round((await target.boundingBox())?.y ?? -1)).toBe(80);
  }
  await page.getByRole('banner').getByRole('link', { name: 'Login' }).click();
  await expect(page.getByRole('heading', { name: 'Sign In' })).toBeVisible();
}

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('links, questions, the picker, the prices and the return from Google work', async ({ page }) => {
    await page.goto('/');
    await pick(page, 'Vitamin serum').click();
    await expect(page.getByRole('img', { name: /^The same brown bottle/ })).toBeVisible();
    await expect(page.getByText('Vitamin serum', { exact: true })).toBeVisible();
    await expect(page.getByText('Scented candle', { exact: true })).toBeHidden();
    const samples = page.getByRole('radio');
    await expect(samples).toHaveCount(3);
    await expect(samples.nth(2)).toBeChecked();
    await page.locator('#faq summary').first().click();
    await expect(page.locator('#faq details[open]')).toHaveCount(1);
    await expect(page.locator('#faq details[open]')).toHaveText(/Any sharp photo/);
    await expect(page.locator('#faq details p').first()).toBeVisible();
    await page.locator('#faq summary').nth(3).click();
    await expect(page.locator('#faq details p').first()).toBeHidden();
    for (const price of ['$10', '$15', '$20']) await expect(page.getByText(price, { exact: true })).toBeVisible();
    await page.getByRole('link', { name: 'Try it with your photo' }).click();
    await expect(page.getByRole('link', { name: 'Sign in with Google' })).toHaveAttribute('href', '/auth/google/start');
    await page.goto('/auth/callback');
    await expect(page.getByRole('status')).toHaveText('Signing you in... Please wait.');
  });
});

test('the login page has the texts of the specification, in both modes', async ({ page }) => {
  const messages = await open(page, '/login');
  await expect(page).toHaveTitle('Sign In · Plinth');
  await expect(page.getByRole('link', { name: 'Sign in with Google' })).toBeVisible();
  await expect(page.getByText('Your photos are waiting for a better place.')).toBeVisible();
  const [hint, or] = await Promise.all(
    ['Local sign-in on this machine', 'or with email'].map((line) => page.getByText(line).boundingBox()),
  );
  const between = (or?.y ?? NaN) - (hint?.y ?? NaN) - (hint?.height ?? NaN);
  expect(between, 'the hint keeps off the line below it').toBeGreaterThanOrEqual(8);
  await expect(page.getByText('By continuing you accept the Terms of Service and the Privacy Policy.')).toBeVisible();
  await page.getByRole('button', { name: 'Sign up instead' }).click();
  await expect(page.getByRole('heading', { name: 'Sign Up' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Sign up with Google' })).toBeVisible();
  expect(await findViolations(page), 'the sign-up side').toEqual([]);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Sign In' })).toBeVisible();
  expect(messages).toEqual([]);
});

test('input from before hydration is kept @slow', async ({ page }) => {
  const held = Promise.withResolvers<void>();
  await page.route(/\/(HeroPicture|LoginPage)-[^/]+\.js$/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto('/', { waitUntil: 'domcontentloaded' });
  await pick(page, 'Scented candle').click();
  const login = await page.context().newPage();
  await login.route(/\/LoginPage-[^/]+\.js$/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await login.goto('/login', { waitUntil: 'domcontentloaded' });
  await login.getByLabel('Email', { exact: true }).fill('ann@example.com');
  await login.getByLabel('Password', { exact: true }).fill('typed-early');
  held.resolve();
  // Clicks again until a listener is attached.
  await expect(async () => {
    const show = login.getByRole('button', { name: 'Show password' });
    if (await show.isVisible()) await show.click({ timeout: 1000 });
    await expect(login.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'text', { timeout: 200 });
  }).toPass();
  await expect(login.getByLabel('Email', { exact: true })).toHaveValue('ann@example.com');
  await expect(login.getByLabel('Password', { exact: true })).toHaveValue('typed-early');
  await expect(async () => {
    await slider(page).press('End');
    await expect(slider(page)).toHaveAttribute('aria-valuetext', '100% of your photo shown', { timeout: 200 });
  }).toPass();
  await expect(page.getByRole('img', { name: /^The same white candle/ })).toBeVisible();
});

test('a sign-in click before the script loads sends nothing; later clicks count @slow', async ({ page }) => {
  const [script, form] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  for (const [file, held] of [
    [/\/public-[^/]+\.js$/, script],
    [/\/LoginPage-[^/]+\.js$/, form],
  ] as const) {
    await page.route(file, async (route) => {
      await held.promise;
      await route.continue();
    });
  }
  await page.goto('/login', { waitUntil: 'commit' });
  const email = page.getByLabel('Email', { exact: true });
  const submit = page.locator('form').getByRole('button', { name: 'Sign In', exact: true });
  await email.fill(newEmail());
  await page.getByLabel('Password', { exact: true }).fill('pressed-early');
  await submit.click();
  await expect(email).toHaveValue(/@example\.com$/);
  await expect(page).toHaveURL('/login');
  const scriptRequest = page.waitForRequest(/\/LoginPage-[^/]+\.js$/);
  script.resolve();
  await scriptRequest;
  await page.getByRole('button', { name: 'Sign up instead' }).click();
  await submit.click();
  form.resolve();
  await expect(page).toHaveURL('/dashboard/text-to-image');
});
