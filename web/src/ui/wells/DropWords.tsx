import { Icon } from '../icons.tsx';

type DropWordsProps = { thing: string; choice?: string; byTouch?: string };

export function DropWords({ thing, choice = 'choose a file', byTouch = `Choose ${thing}` }: DropWordsProps) {
  return (
    <>
      <Icon name="upload" size={28} />
      <b className="by-mouse">
        Drop {thing} here or <u>{choice}</u>
      </b>
      <b className="by-touch">
        <u>{byTouch}</u>
      </b>
    </>
  );
}
