import type { TestUser } from './makers.ts';
import type { Case } from './run-errors.ts';

type Parts = Record<string, string | Blob>;
type Door = {
  picture: () => Promise<Blob>;
  /** Sends a form to a tool of the built-in engine. */
  generate: (parts: Parts, tool: string) => Promise<Response>;
  /** Somebody whose tools a provider serves. */
  asker: () => TestUser;
};

/** What can be wrong with what a person shows on a picture, and with asking what is seen in it. */
export function guideCases({ picture, generate, asker }: Door) {
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
        return asker().fetch('/api/v1/subject', { method: 'POST', body: form });
      },
    },
  } satisfies Record<string, Case>;
}
