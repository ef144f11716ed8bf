import { availableParallelism } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import { readNetworkSettings, type NetworkSettings } from './matting/network-settings.ts';

/** The settings do not work; the message names every fault. */
export class ConfigFault extends Error {}

export interface Config {
  host: string;
  port: number;
  dataDir: string;
  key: string;
  workers: number;
  ttlSeconds: number;
  stillSeconds: number;
  videoSeconds: number;
  webhookHosts: string[];
  webhookRetrySeconds: number;
  realtimeIdleSeconds: number;
  workerMegabytes: number;
  network: NetworkSettings | undefined;
}

/** Reads and checks the engine's settings. @throws ConfigFault */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const faults: string[] = [];
  const text = (name: string, fallback?: string) => {
    const value = env[name] ?? fallback;
    if (value !== undefined && value !== '') return value;
    faults.push(`${name} is required`);
    return '';
  };
  const whole = (name: string, fallback: number, least: number, most: number) => {
    const raw = env[name];
    if (raw === undefined || raw === '') return fallback;
    const value = Number(raw);
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    faults.push(`${name} must be a whole number from ${least} to ${most}`);
    return fallback;
  };
  const list = (name: string) =>
    (env[name] ?? '')
      .split(',')
      .map((entry) => entry.trim().toLowerCase())
      .filter((entry) => entry !== '');
  const dataDir = text('ENGINE_DATA_DIR');
  const config: Config = {
    host: text('ENGINE_HOST', '127.0.0.1'),
    port: whole('ENGINE_PORT', 0, 0, 65_535), // 0 = any free port, told on stdout
    dataDir: isAbsolute(dataDir) ? dataDir : resolve(dataDir), // everything written lies below it
    key: text('ENGINE_KEY'), // what clients send as "Authorization: Key …"
    workers: whole('ENGINE_WORKERS', Math.min(2, availableParallelism()), 1, 16),
    ttlSeconds: whole('ENGINE_TTL_SECONDS', 3600, 1, 604_800), // finished jobs and files live this long
    stillSeconds: whole('ENGINE_STILL_SECONDS', 30, 1, 600), // processor time of one attempt at a still picture
    videoSeconds: whole('ENGINE_VIDEO_SECONDS', 90, 1, 600), // and at a video
    webhookHosts: list('ENGINE_WEBHOOK_HOSTS'), // host or host:port beside this machine that webhooks may go to
    webhookRetrySeconds: whole('ENGINE_WEBHOOK_RETRY_SECONDS', 3, 1, 600), // first pause, doubled ten times
    realtimeIdleSeconds: whole('ENGINE_REALTIME_IDLE_SECONDS', 60, 1, 3600), // a silent websocket is closed
    workerMegabytes: whole('ENGINE_WORKER_MEGABYTES', 1024, 128, 65_536), // resident memory of one worker at most
    network: readNetworkSettings(env, faults), // what tells products from backgrounds instead of the classical method
  };
  if (faults.length > 0) throw new ConfigFault(`engine settings: ${faults.join('; ')}`);
  return config;
}

/** The settings of the matting network alone. @throws ConfigFault */
export function readNetworkConfig(env: NodeJS.ProcessEnv = process.env): NetworkSettings | undefined {
  const faults: string[] = [];
  const settings = readNetworkSettings(env, faults);
  if (faults.length > 0) throw new ConfigFault(faults.join('; '));
  return settings;
}
