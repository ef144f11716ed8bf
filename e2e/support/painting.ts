import type { Locator, Page } from '@playwright/test';
import { expect, stage } from './journey.ts';

type Share = readonly [across: number, down: number];

/** Waits for the open editor with its photo. */
export async function openEditor(page: Page, name: string): Promise<Locator> {
  const editor = page.getByRole('dialog', { name });
  await expect(editor.getByRole('group', { name: 'Tool' })).toBeVisible();
  await expect(board(editor)).toBeFocused();
  return editor;
}

export const board = (editor: Locator) => editor.getByRole('application', { name: 'Your photo, paint here' });

/** Draws with the mouse along places of a fully visible picture of this ratio (width by height). */
export async function paint(page: Page, editor: Locator, ratio: number, ...places: Share[]): Promise<void> {
  const [first, ...rest] = await Promise.all(places.map((place) => toWindow(editor, ratio, place)));
  await page.mouse.move(...first!);
  await page.mouse.down();
  for (const place of rest) await page.mouse.move(...place, { steps: 6 });
  await page.mouse.up();
}

async function toWindow(editor: Locator, ratio: number, [across, down]: Share): Promise<[number, number]> {
  const box = (await board(editor).boundingBox())!;
  const margin = Math.min(24, box.width / 12, box.height / 12);
  const width = Math.min(box.width - 2 * margin, (box.height - 2 * margin) * ratio);
  const height = width / ratio;
  return [box.x + box.width / 2 + (across - 0.5) * width, box.y + box.height / 2 + (down - 0.5) * height];
}

/** Reads the alpha (0 to 1) at a place of the stage's cut-out. */
export async function readAlpha(page: Page, [across, down]: Share): Promise<number> {
  return stage(page)
    .getByRole('img', { name: /^Result: / })
    .evaluate(
      async (image: HTMLImageElement, [x, y]) => {
        await image.decode(); // its size is known before its pixels
        const canvas = document.createElement('canvas');
        [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
        const pen = canvas.getContext('2d')!;
        pen.drawImage(image, 0, 0);
        return pen.getImageData(x! * image.naturalWidth, y! * image.naturalHeight, 1, 1).data[3]! / 255;
      },
      [across, down],
    );
}
