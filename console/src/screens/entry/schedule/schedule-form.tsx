import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useForm } from 'react-hook-form';
import { deleteSchedule, putSchedule, type Schedule, type ScheduleBody } from '../../../api/entry-parts/schedule';
import { Button } from '../../../parts/button';
import { DialogButtons } from '../../../parts/dialog';
import { Form } from '../../../parts/form';
import { showProblem } from '../../../parts/form-problem';
import { localTime } from '../../../lists/local-time';
import { ProblemMessage } from '../../../parts/problem-message';
import { say } from '../../../parts/status';
import { TextField } from '../../../parts/fields/text-field';
import { type OfEntry, useAddress } from '../use-address';
import { LanguagesOfSchedule } from './schedule-languages';
import styles from './schedule.module.css';
import { useShowSchedule } from './use-schedule';
import { useScheduleLanguages } from './use-schedule-languages';

interface ScheduleFormProps extends OfEntry {
  schedule: Schedule | null;
  onClose: () => void;
}

const LABELS = { publish_at: 'Publish at', unpublish_at: 'Unpublish at' };
const NAMES = ['publish_at', 'unpublish_at'] as const;

/** The times in the person's zone, whichever zone they were set in, and the languages that they are for. */
export default function ScheduleForm({ type, entry, schedule, onClose }: ScheduleFormProps) {
  const address = useAddress({ type, entry });
  const show = useShowSchedule({ type, entry });
  const languages = useScheduleLanguages(entry, schedule);
  const [problem, setProblem] = useState<unknown>();
  const { register, handleSubmit, formState, setError } = useForm({ defaultValues: boxesOf(schedule) });
  const done = (saved: Schedule | null, message: string) => {
    show(saved);
    onClose();
    say(message);
  };
  const save = useMutation({
    mutationFn: (body: ScheduleBody) => putSchedule(address, body),
    onSuccess: (saved) => done(saved, 'The schedule was saved.'),
    onError: (error) => setProblem(showProblem(error, setError, LABELS)),
  });
  const remove = useMutation({
    mutationFn: () => deleteSchedule(address),
    onSuccess: () => done(null, 'The schedule was removed.'),
    onError: setProblem,
  });
  const send = (event: FormEvent<HTMLFormElement>) => {
    const half = NAMES.find((name) => isHalf(event.currentTarget, name));
    if (half)
      return setError(half, { message: 'Complete the date and the time, or clear them.' }, { shouldFocus: true });
    void handleSubmit((values) => {
      const times = timesIn(values);
      if (Object.keys(times).length === 0) return setError('publish_at', { message: NOTHING }, { shouldFocus: true });
      const body = { ...times, ...(languages?.sent && { locales: languages.sent }) };
      if (languages?.allows(body) !== false) save.mutate(body);
    })(event);
  };
  return (
    <Form onSubmit={send}>
      <ProblemMessage error={problem} />
      <p>
        {languages?.sent ? SOME : WHOLE[entry.status]} Times are in your zone, {zone}.
      </p>
      {NAMES.map((name) => (
        <TextField
          key={name}
          label={LABELS[name]}
          type="datetime-local"
          error={formState.errors[name]?.message}
          {...register(name)}
        />
      ))}
      {languages && <LanguagesOfSchedule languages={languages} />}
      <DialogButtons>
        <Button type="submit" look="primary" isBusy={save.isPending}>
          Save schedule
        </Button>
        <Button onClick={onClose}>Cancel</Button>
        {schedule && (
          <Button className={styles.apart} isBusy={remove.isPending} onClick={() => remove.mutate()}>
            Remove schedule
          </Button>
        )}
      </DialogButtons>
    </Form>
  );
}

const NOTHING = 'Enter when the entry is published or unpublished.';
const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** What a schedule of the whole entry does. */
const WHOLE = {
  published: 'When it is published, the changes that wait in the draft go live, as they are then.',
  draft: 'When it is published, the entry becomes public, as it is then.',
};
const SOME = 'When they are published, the languages below go live as they are in the draft then.';

type Boxes = Record<(typeof NAMES)[number], string>;

function boxesOf(schedule: Schedule | null): Boxes {
  const [publish_at = '', unpublish_at = ''] = NAMES.map((name) => localTime(schedule?.[name] ?? ''));
  return { publish_at, unpublish_at };
}

function timesIn(boxes: Boxes): ScheduleBody {
  const filled = NAMES.filter((name) => boxes[name] !== '');
  return Object.fromEntries(filled.map((name) => [name, new Date(boxes[name]).toISOString()]));
}

/** The browser gives no value for a time of which only a part was entered. */
function isHalf(form: HTMLFormElement, name: string): boolean {
  const box = form.elements.namedItem(name);
  return box instanceof HTMLInputElement && box.validity.badInput;
}
