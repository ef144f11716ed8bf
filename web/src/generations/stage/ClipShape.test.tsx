// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { tools } from '@plinth/contract/tools';
import { pictureFile } from '../../../test/screen.tsx';
import { ClipShape, findRatio } from './ClipShape.tsx';

const draftOf = (aspectRatio?: string) => ({
  image: { file: pictureFile(), width: 8, height: 8 },
  ...(aspectRatio && { aspectRatio }),
});
const show = (aspectRatio?: string) => {
  const ratio = findRatio(tools['image-to-video'], draftOf(aspectRatio));
  if (ratio !== null) render(<ClipShape ratio={ratio} photo={pictureFile()} />);
  return ratio;
};

test('the shape that is chosen stands on the stage before anything is made', () => {
  expect([undefined, '16:9', '4:5'].map(show)).toEqual([1, 16 / 9, 0.8]);
  expect(screen.getAllByRole('img', { name: 'Your photo in the shape of the clip' })).toHaveLength(3);
  expect(screen.queryByText(/^Free in/)).toBe(null);
  expect(findRatio(tools['remover'], draftOf())).toBe(null);
  expect(findRatio(tools['basic-image-to-video'], draftOf())).toBe(1);
});

test('in a tall one, what stays free in the apps that it is for', () => {
  expect(show('9:16')).toBe(9 / 16);
  expect(screen.getByText('Free in TikTok').parentElement?.style.inset).toBe('8% 14% 22% 0%');
  expect(screen.getByText('Free in Reels').parentElement?.style.inset).toBe('14% 6% 35% 6%');
});
