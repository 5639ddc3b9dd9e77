import { ShownOnce } from '../../../parts/copying/shown-once';

export function SecretNotice({ secret }: { secret: string }) {
  return (
    <>
      <p>The receiver verifies deliveries with it. It is shown only here: keep it in a safe place.</p>
      <ShownOnce label="Secret" copyLabel="Copy secret" text={secret} />
    </>
  );
}
