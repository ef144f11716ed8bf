import { Fragment } from 'react';

/** A headline that breaks where it is meant to; narrow pages break it themselves. */
export function TwoLines({ lines }: { lines: readonly string[] }) {
  return lines.map((line, index) => (
    <Fragment key={line}>
      {index > 0 && ' '}
      {index > 0 && <br />}
      {line}
    </Fragment>
  ));
}
