import type { TestApp } from './app.ts';
import { makeGeneration, makeUser, type TestUser, waitForEnd } from './makers.ts';
import type { Case } from './run-errors.ts';

type Door = {
  picture: () => Promise<Blob>;
  /** Sends a form to a tool of the built-in engine. */
  generate: (parts: Record<string, string | Blob>, tool: string) => Promise<Response>;
  /** An app whose tools a provider serves, and a user there; set only while the tests run. */
  of: () => { app: TestApp; user: TestUser };
};

/** Errors of marks, placements, picture requests and marketplace files. */
export function pictureCases({ picture, generate, of }: Door) {
  /** Requests a pack's file of a new result that is small and opaque. */
  const exportResult = async (tool: string, pack: string): Promise<Response> => {
    const owner = await makeUser(of().app, { credits: 2 });
    const made = await waitForEnd(owner, (await makeGeneration(owner, { tool })).id);
    return owner.fetch(`/api/v1/media/${made.result?.mediaId}/packs/${pack}`);
  };
  return {
    marks_invalid: {
      status: 422,
      detail: 'The marks could not be understood.',
      provoke: async () => generate({ image: await picture(), marks: '{}' }, 'remover'),
    },
    placement_invalid: {
      status: 422,
      detail: 'The placement could not be understood.',
      provoke: async () => generate({ image: await picture(), prompt: 'moss', placement: '{"x":2}' }, 'text-to-image'),
    },
    subject_unavailable: {
      status: 503,
      detail: 'This server cannot look at the photo first.',
      provoke: async () => {
        const form = new FormData();
        form.set('image', await picture());
        return of().user.fetch('/api/v1/subject', { method: 'POST', body: form });
      },
    },
    cutout_needed: {
      status: 422,
      detail: 'Remove the background first.',
      provoke: () => exportResult('remover', 'amazon-main'),
    },
    picture_too_small: {
      status: 422,
      detail: 'The picture is too small for this marketplace.',
      provoke: () => exportResult('remover', 'shopify'),
    },
    pack_not_possible: {
      status: 422,
      detail: 'Videos cannot be exported for a marketplace.',
      provoke: () => exportResult('basic-image-to-video', 'shopify'),
    },
  } satisfies Record<string, Case>;
}
