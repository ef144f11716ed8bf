import type { JSHandle, Locator, Page, Request } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { ENGINE_MS, expect, test } from '../support/journey.ts';
import { newEmail } from '../support/makers.ts';
import { makeEmptyPicture, makeTooLargePhoto, type Photo, smallPhoto } from '../support/pictures.ts';

const WIRE_LIMIT = 12_000_000;

const photo = (page: Page) => page.getByLabel('Your photo');
const result = (page: Page) => page.getByRole('img', { name: /^Your product/ });
const refusal = (page: Page) => page.locator('#try-refusal');
const says = (page: Page) => page.locator('#try-here').getByRole('status');

async function open(page: Page): Promise<Request[]> {
  await page.goto('/');
  await page.waitForLoadState('networkidle');
  const requests: Request[] = [];
  page.on('request', (request) => requests.push(request));
  return requests;
}

async function expectCutOut(page: Page): Promise<void> {
  await expect(says(page)).toHaveText('Your product is cut out.', { timeout: ENGINE_MS });
  await expect(result(page)).toBeVisible();
}

/** Measures the shares (0 to 1) of the picture's transparent and opaque pixels. */
async function measureAlpha(picture: Locator): Promise<{ clear: number; solid: number }> {
  return picture.evaluate(async (image: HTMLImageElement) => {
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width: 100, height: 100 });
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('no canvas');
    context.drawImage(image, 0, 0, 100, 100);
    const { data } = context.getImageData(0, 0, 100, 100);
    const alphas = Array.from({ length: 10_000 }, (_, i) => data[i * 4 + 3] ?? 0);
    return {
      clear: alphas.filter((alpha) => alpha < 5).length / 10_000,
      solid: alphas.filter((alpha) => alpha > 250).length / 10_000,
    };
  });
}

/** Returns the DataTransfer of a dragged photo. */
function take(page: Page, { name, mimeType, buffer }: Photo): Promise<JSHandle<DataTransfer>> {
  return page.evaluateHandle(
    ({ bytes, name, type }) => {
      const dragged = new DataTransfer();
      dragged.items.add(new File([new Uint8Array(bytes)], name, { type }));
      return dragged;
    },
    { bytes: [...buffer], name, type: mimeType },
  );
}

async function drop(page: Page, dataTransfer: JSHandle<DataTransfer>, onto = '.try-box'): Promise<void> {
  await page.locator(onto).dispatchEvent('drop', { dataTransfer });
}

/** Keeps the result by signing up as a new user. */
async function keep(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Go on with this photo: sign in' }).click();
  await page.getByRole('group', { name: 'Mode' }).getByRole('button', { name: 'Sign Up' }).click();
  await page.getByLabel('Email', { exact: true }).fill(newEmail());
  await page.getByLabel('Password', { exact: true }).fill('first-password');
  await page.locator('form').getByRole('button', { name: 'Sign Up', exact: true }).click();
}

/** Collects the CSP of each response, and the cache headers of WebAssembly and networks. */
function readHeaders(page: Page) {
  const policies = new Map<string, string>();
  const kept = new Map<string, string | undefined>();
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    policies.set(pathname, response.headers()['content-security-policy'] ?? '');
    if (/\.(wasm|onnx)$/.test(pathname)) kept.set(pathname, response.headers()['cache-control']);
  });
  return { policies, kept };
}

test('the hero leads here, the browser cuts out a photo without uploading it, and the next works offline', async ({
  page,
  context,
  tolerated,
}) => {
  // Lazy pictures and the clip further down the page.
  tolerated.push(/ERR_INTERNET_DISCONNECTED \/assets\/[\w-]+\.(avif|mp4)$/);
  const { policies, kept } = readHeaders(page);
  const requests = await open(page);
  await page.getByRole('link', { name: 'Try it with your photo' }).click();
  await expect(page).toHaveURL(/#try$/);
  await expect(page.getByRole('heading', { name: 'Try it here' })).toBeInViewport();
  await page.getByRole('button', { name: 'A teddy bear on a sofa' }).click();
  await expectCutOut(page);

  await test.step('the neural network was fetched once and nothing was sent', async () => {
    let received = 0;
    const sent = requests.filter((request) => !request.url().startsWith('blob:'));
    expect(sent.map((request) => request.method()).filter((method) => method !== 'GET')).toEqual([]);
    for (const request of sent) {
      expect(request.postDataBuffer(), request.url()).toBeNull();
      expect(new URL(request.url()).search, request.url()).toBe('');
      received += (await request.sizes()).responseBodySize;
    }
    expect(sent.map((request) => request.url()).filter((url) => url.endsWith('.onnx'))).toHaveLength(1);
    expect(received).toBeGreaterThan(5_000_000);
    expect(received).toBeLessThan(WIRE_LIMIT);
  });
  await test.step("only the worker's response allows WebAssembly; the downloads are cached permanently", () => {
    const allowing = [...policies].filter(([, policy]) => policy.includes('wasm-unsafe-eval')).map(([path]) => path);
    expect(allowing).toEqual([expect.stringMatching(/^\/assets\/cut-out-worker-[\w-]+\.js$/)]);
    expect([...kept.values()]).toEqual(Array(2).fill('public, max-age=31536000, immutable'));
  });
  await test.step('it is transparent around the product, and can be placed in a scene', async () => {
    const { clear, solid } = await measureAlpha(result(page));
    expect(clear).toBeGreaterThan(0.6);
    expect(solid).toBeGreaterThan(0.1);
    for (const name of ['On marble', 'On a table']) {
      await page.getByRole('radio', { name }).check({ force: true });
      await expect(page.getByRole('img', { name: /^Your product in the scene: / })).toBeVisible();
      expect((await measureAlpha(result(page))).solid).toBe(1);
    }
    await page.getByRole('radio', { name: 'Cut out' }).check({ force: true });
  });
  await test.step('it is saved without an account', async () => {
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save' }).click();
    expect((await downloading).suggestedFilename()).toBe('teddy-cutout.png');
  });
  await test.step('the next photo is dropped offline, beside the box', async () => {
    const dropper = await take(page, await smallPhoto('dropper'));
    await context.setOffline(true);
    await drop(page, dropper, 'h1');
    await expect(says(page)).not.toHaveText('Your product is cut out.');
    await expectCutOut(page);
    expect((await measureAlpha(result(page))).clear).toBeGreaterThan(0.5);
    await context.setOffline(false);
  });
  await test.step('after the sign-up the kept photo is in the form of its tool', async () => {
    await keep(page);
    await expect(page).toHaveURL(/\/dashboard\/remover$/);
    await expect(page.getByText('dropper.jpg')).toBeVisible();
    await page.reload();
    await expect(page.getByText('dropper.jpg'), 'a reload leaves it there').toBeVisible();
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('missing downloads and impossible photos are reported, the keyboard suffices, a scene keeps its words @slow', async ({
    page,
    context,
    tolerated,
  }) => {
    tolerated.push(/ERR_INTERNET_DISCONNECTED/);
    // The browser hands over its dialogs only after interception is enabled, and a key press may precede that.
    page.on('filechooser', () => undefined);
    await open(page);
    await test.step('offline it reports what is missing, and it continues online', async () => {
      await context.setOffline(true);
      await photo(page).setInputFiles(await smallPhoto('mug'));
      await expect(
        page.getByText(/^What cuts out your photo could not be fetched\./).filter({ visible: true }),
      ).toBeVisible();
      await context.setOffline(false);
      await page.reload();
      // The first action on this page, before its script has loaded.
      await drop(page, await take(page, { name: 'grey.png', mimeType: 'image/png', buffer: makeEmptyPicture(400) }));
      await expect(refusal(page)).toHaveText(/^We cannot tell the product from what is behind it\./, {
        timeout: ENGINE_MS,
      });
    });
    await test.step('too large, corrupt, and no photo', async () => {
      const broken = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no picture at all') };
      await photo(page).setInputFiles(makeTooLargePhoto());
      await expect(refusal(page)).toHaveText('Image file size must be less than 12MB');
      await photo(page).setInputFiles(broken);
      await expect(refusal(page)).toHaveText('Failed to load image. Please try another file.', { timeout: ENGINE_MS });
      await photo(page).setInputFiles({ name: 'note.gif', mimeType: 'image/gif', buffer: Buffer.from('GIF89a') });
      await expect(refusal(page)).toHaveText('Please select an image file (JPEG, PNG, or WebP)');
      await expectAccessible(page, 'a refused file');
      await page.setViewportSize({ width: 390, height: 844 });
    });
    await test.step('a sample photo works when the script has already loaded', async () => {
      await page.getByRole('button', { name: 'A teddy bear on a sofa' }).click();
      await expect(says(page)).toHaveText('Finding your product');
      await expectCutOut(page);
    });
    await test.step('the next photo is chosen and viewed by keyboard, with touch targets large enough', async () => {
      await photo(page).focus();
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Enter')]);
      await chooser.setFiles(await smallPhoto('mug'));
      await expectCutOut(page);
      await expect(page.locator('.try-shown')).toBeFocused();
      await page.keyboard.press('Tab');
      await expect(page.getByRole('radio', { name: 'Cut out' })).toBeFocused();
      await page.keyboard.press('ArrowRight');
      await expect(page.getByRole('radio', { name: 'On marble' })).toBeChecked();
      await expect(page.getByRole('img', { name: /marble podium/ })).toBeVisible();
      await page.keyboard.press('Tab');
      const keeping = page.getByRole('link', { name: 'Go on with this photo: sign in' });
      await expect(keeping).toBeFocused();
      await page.keyboard.press('Tab');
      await expect(page.getByRole('button', { name: 'Save' })).toBeFocused();
      await page.keyboard.press('Tab');
      const another = page.getByRole('button', { name: 'Another photo' });
      await expect(another).toBeFocused();
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 844 });
        for (const target of [keeping, another])
          expect((await target.boundingBox())?.height).toBeGreaterThanOrEqual(44);
      }
      await expectAccessible(page, 'the cut-out');
      await page.setViewportSize({ width: 390, height: 844 });
      await Promise.all([page.waitForEvent('filechooser'), another.press('Enter')]);
    });
    await test.step('a scene keeps its words after the sign-up', async () => {
      await page.getByRole('radio', { name: 'On a table' }).check({ force: true });
      await keep(page);
      await expect(page).toHaveURL(/\/dashboard\/text-to-image$/);
      await expect(page.getByRole('textbox', { name: 'Scene description' })).toHaveValue('wooden table, morning light');
      await expect(page.getByText('mug.jpg')).toBeVisible();
    });
  });
});

test('a browser without WebAssembly gets a message with an alternative', async ({ page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(window, 'WebAssembly'));
  await open(page);
  await photo(page).setInputFiles(await smallPhoto('mug'));
  await expect(refusal(page)).toHaveText(
    /^This browser cannot cut out photos by itself: WebAssembly is off or too old\./,
  );
});
