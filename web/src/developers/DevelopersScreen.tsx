import { API_BASE, type Operation } from '@plinth/contract/api/operation';
import { operationGroups } from '@plinth/contract/api/operations';
import { errors } from '@plinth/contract/errors';
import { isForKeys, KEYS_PER_USER } from '@plinth/contract/keys';
import { listCodes } from '@plinth/contract/openapi';
import { IDEMPOTENCY_KEY_MAX_LENGTH, MEDIA_TTL_SECONDS, rateLimits } from '@plinth/contract/limits';
import { z } from 'zod';
import { DataTable } from '../ui/DataTable.tsx';
import { Facts, type Fact } from '../ui/Facts.tsx';
import { formatCount } from '../ui/format.ts';
import { TextPage, TextPart } from '../ui/pages/TextPage.tsx';
import { AgentSettings } from './AgentSettings.tsx';
import { Code } from './Code.tsx';
import './developers.css';
import { FirstCall } from './FirstCall.tsx';
import { webhookCheck } from './samples.ts';

const EXAMPLE = {
  type: 'about:blank',
  title: 'Payment Required',
  status: errors.insufficient_credits.status,
  code: 'insufficient_credits',
  detail: errors.insufficient_credits.detail,
  requestId: 'req_…',
};

const LIMITS = [
  ['Generations', rateLimits.generation],
  ['Photos of a catalogue', rateLimits.runItem],
  ['Catalogues', rateLimits.run],
  ['Checks of a picture', rateLimits.check],
  ['Marketplace files and packshots', rateLimits.pack],
  ['Changes of looks', rateLimits.look],
  ['Archives', rateLimits.archive],
  ['Calls of an agent', rateLimits.agent],
] as const;

const page = (
  <TextPage title="Developers" lead="Everything this site does, from your own shop or script, for the same credits.">
    <TextPart id="quickstart" title="Quickstart">
      <p>
        Make a key in <a href="/dashboard/account/keys">your account</a> and put it into <code>PLINTH_KEY</code>. Then
        send a photo: it costs what the button on the screen says, and nothing if it fails.
      </p>
      <div id="first-call" data-island>
        <FirstCall />
      </div>
    </TextPart>
    <TextPart id="authentication" title="Authentication">
      <p>
        <code>Authorization: Bearer plk_…</code> stands for you wherever pictures, catalogues, results, marketplaces and
        credits are meant. Buying credits, your account and other keys want you in person. You can have {KEYS_PER_USER}{' '}
        keys; a deleted one is refused at once.
      </p>
      <p>Keep a key on your server. Whoever reads it spends your credits.</p>
    </TextPart>
    <TextPart id="idempotency" title="Idempotency">
      <p>
        Send an <code>Idempotency-Key</code> with every generation: up to {IDEMPOTENCY_KEY_MAX_LENGTH} visible ASCII
        characters of your own, such as an order’s number. If the answer got lost, send the same request with the same
        key again. You get the first answer, and nothing is made or paid twice.
      </p>
      <p>
        Credits leave when a generation is accepted. If it fails or is canceled, they come back by themselves. Results
        are deleted after {MEDIA_TTL_SECONDS / 3600} hours: fetch what you want to keep.
      </p>
    </TextPart>
    <TextPart id="errors" title="Errors">
      <p>
        A refused request answers with a problem document (RFC 9457). Decide by its <code>code</code>, which never
        changes; show its <code>detail</code>, which is written for people. With 429 and 503 comes{' '}
        <code>Retry-After</code>, in seconds.
      </p>
      <Code name="A problem document" code={JSON.stringify(EXAMPLE, null, 2)} />
    </TextPart>
    <TextPart id="rate-limits" title="Rate limits">
      <p>
        Counted for each key. Beyond them the answer is 429 <code>rate_limited</code> with <code>Retry-After</code>;
        with too many generations at once it is <code>too_many_generations</code>. An operator may have set others.
      </p>
      <DataTable
        columns={[
          { head: 'What', isHead: true, cell: ([what]) => what },
          {
            head: 'At most',
            cell: ([, { points, seconds }]) => (
              <>
                {formatCount(points)} in {seconds === 60 ? 'a minute' : `${seconds / 60} minutes`}
              </>
            ),
          },
        ]}
        rows={LIMITS}
        keyOf={([what]) => what}
      />
    </TextPart>
    <TextPart id="webhooks" title="Webhooks">
      <p>
        Name an address of your own server in <a href="/dashboard/account/webhooks">your account</a>, and it is told of
        each generation and catalogue that has ended, within seconds. Answer with 2xx. What does not arrive is sent
        again for three days; <code>webhook-id</code> is the same in every try. The account shows each message with what
        it said, and sends it again.
      </p>
      <p>
        Messages are signed as <a href="https://www.standardwebhooks.com">Standard Webhooks</a> says. Check the
        signature before you believe one:
      </p>
      <Code name="Check of a webhook in TypeScript" code={webhookCheck} />
    </TextPart>
    <TextPart id="events" title="Event stream">
      <p>
        <code>GET {API_BASE}/events</code> is a stream that tells what becomes of your generations, catalogues and
        credits as it happens. Come back with <code>Last-Event-ID</code>, and you miss nothing.
      </p>
    </TextPart>
    <TextPart id="agents" title="MCP for agents">
      <p>
        Assistants that speak the Model Context Protocol work at <code>/mcp</code> (streamable HTTP) with your key as a
        bearer token. They remove backgrounds, place products, make videos, check listings and export for marketplaces,
        for your credits. The settings of most clients look like this:
      </p>
      <div id="agent-settings" data-island>
        <AgentSettings />
      </div>
    </TextPart>
    <TextPart id="reference" title="API reference">
      <p>
        Every route, field and code as <a href={`${API_BASE}/openapi.json`}>OpenAPI 3.1</a>. Those with “key” take an
        API key.
      </p>
      {operationGroups.map(({ title, operations }) => (
        <div key={title} className="routes">
          <h3 className="title-small">{title}</h3>
          {operations.map((operation) => (
            <Route key={operation.method + operation.path} operation={operation} />
          ))}
        </div>
      ))}
    </TextPart>
  </TextPage>
);

export function DevelopersScreen() {
  return page;
}

function Route({ operation }: { operation: Operation }) {
  const { method, path, says, answers, query = {}, json, form, idempotencyKey } = operation;
  return (
    <details className="route ruled">
      <summary>
        <code>
          <b>{method.toUpperCase()}</b> {path}
        </code>
        <span className="small">
          {says} {isForKeys(API_BASE + path) && <span className="caption">key</span>}
        </span>
      </summary>
      <Facts
        className="small"
        facts={[
          ['In the address', Object.keys(query).join(', ')],
          [form === undefined ? 'Takes JSON' : 'Takes a form', listFields(json ?? form).join(', ')],
          ['Idempotency-Key', idempotencyKey],
          ...Object.entries(answers).map(([status, { says: what, bytes }]): Fact => [
            status,
            <>
              {what} {bytes !== undefined && <code>{bytes}</code>}
            </>,
          ]),
          [
            'Refuses with',
            listCodes(operation).map((code) => (
              <span key={code}>
                <code>{code}</code>{' '}
              </span>
            )),
          ],
        ]}
      />
    </details>
  );
}

function listFields(schema: z.ZodType | undefined): string[] {
  if (schema instanceof z.ZodOptional) return listFields(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodUnion) return [...new Set(schema.options.flatMap((one) => listFields(one as z.ZodType)))];
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}
