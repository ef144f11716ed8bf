import { Fragment } from 'react';

export function TwoLines({ lines }: { lines: readonly string[] }) {
  return lines.map((line, index) => (
    <Fragment key={line}>
      {index > 0 && ' '}
      {index > 0 && <br />}
      {line}
    </Fragment>
  ));
}
