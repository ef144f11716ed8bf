import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from './app.ts';
import { makeClip } from './clip.ts';
import { makeGeneration, makeUser, type TestUser, waitForEnd } from './makers.ts';

let app: TestApp;
let user: TestUser;
beforeAll(async () => {
  app = await startTestApp();
  user = await makeUser(app, { credits: 10 });
});
afterAll(() => app.close());

// A provider may write any of them into the head of a clip, which is stored and signed as it is.
it.each(['isom', 'qt  ', 'M4V ', '3gp4', '3g2a'])(
  'a result of the brand %s is known when it is verified',
  async (brand) => {
    const clip = await makeClip();
    clip.write(brand, 8, 'latin1');
    app.provider.behave({ file: (response) => (response.writeHead(200).end(clip), true) });
    const { id } = await makeGeneration(user, { tool: 'basic-image-to-video' });
    const { result } = await waitForEnd(user, id);
    const content = await (await user.fetch(result!.contentUrl)).arrayBuffer();
    const form = new FormData();
    form.set('video', new Blob([content], { type: 'video/mp4' }), 'mug-clip.mp4');
    const verified = await fetch(`${app.url}/api/v1/verify`, { method: 'POST', body: form });
    expect([verified.status, await verified.json()]).toMatchObject([200, { made: true, changed: false }]);
  },
);
