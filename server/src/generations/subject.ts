import type { Subject } from '@plinth/contract/marks';
import { SUBJECT_FIELDS, toolIds } from '@plinth/contract/tools';
import type { FastifyInstance } from 'fastify';
import { type FormOptions, withForm } from '../media/form.ts';
import { AppError } from '../platform/errors.ts';
import { requireUser } from '../platform/http/caller.ts';
import { addRoute, countBy } from '../platform/http/route.ts';
import type { ProviderInput } from '../providers/provider.ts';
import type { FormAcceptOptions } from './accept.ts';
import { checkForm } from './check-form.ts';

type SubjectOptions = Pick<
  FormAcceptOptions,
  keyof FormOptions | 'library' | 'limits' | 'headshotModels' | 'providerOf'
> & {
  /** @throws AppError subject_unavailable, image_unreadable */
  findSubject: (given: ProviderInput) => Promise<Subject>;
};

/** Reports what the engine would cut out of a photo, free of charge. Stores nothing. */
export function addSubjectRoute(http: FastifyInstance, options: SubjectOptions): void {
  const { limits, providerOf, findSubject } = options;
  addRoute(http, 'post /subject', { guards: [countBy(limits, 'check')] }, (request) =>
    withForm(request, options, async (form) => {
      const abilities = toolIds.map((id) => providerOf(id).abilities).find(({ takesGuides }) => takesGuides);
      if (abilities === undefined) throw new AppError('subject_unavailable', { retryAfterSeconds: 60 });
      const { userId } = requireUser(request);
      const { texts, pictures } = await checkForm({ fields: SUBJECT_FIELDS }, form, { ...options, userId, abilities });
      const guides = texts.marks === undefined ? {} : { marks: JSON.parse(texts.marks) as unknown };
      return findSubject({ pictures, texts: {}, guides });
    }),
  );
}
