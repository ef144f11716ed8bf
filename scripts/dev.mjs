// npm run dev: runs the server with restart on change and the browser part with reload.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { build, env, install, node, root } from './steps.mjs';

await install();
await build();
const apiPort = process.env.PORT ?? '8080';
const children = [
  spawn(
    node,
    [
      '--watch-path=server/src',
      '--watch-path=contract/src',
      '--watch-preserve-output',
      '--disable-warning=ExperimentalWarning',
      'server/src/main.ts',
    ],
    { cwd: root, stdio: 'inherit', env },
  ),
  spawn(node, [join(root, 'node_modules', '.bin', 'vite'), '--clearScreen', 'false'], {
    cwd: join(root, 'web'),
    stdio: 'inherit',
    env: { ...env, PLINTH_API_PORT: apiPort },
  }),
];
const stop = () => children.forEach((child) => child.kill('SIGTERM'));
process.on('SIGTERM', stop).on('SIGINT', stop);
await Promise.race(children.map((child) => new Promise((done) => child.once('exit', done))));
stop();
