import { paintCode } from './paint-code.ts';

type CodeProps = { name: string; code: string; isHidden?: boolean };

export function Code({ name, code, isHidden = false }: CodeProps) {
  return (
    <pre className="code-block surface" tabIndex={0} aria-label={name} hidden={isHidden}>
      <code>
        {paintCode(code).map(({ text, kind }, at) => (
          // The pieces never change places.
          <span key={at} className={kind}>
            {text}
          </span>
        ))}
      </code>
    </pre>
  );
}
