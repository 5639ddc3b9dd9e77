import cluster, { type Worker } from 'node:cluster';

interface Message<Content> {
  line: { subject: string; id: number; content: Content };
}

/** A primary that doesn't answer within this is about to end. */
const PATIENCE_MS = 500;

/** In the primary of a cluster: answers what the worker asks on a subject. What throws is not answered. */
export function answerOn<Question, Answer>(
  worker: Worker,
  subject: string,
  answer: (question: Question) => Answer | Promise<Answer>,
): void {
  const reply = async ({ line }: Message<Question>): Promise<void> => {
    const content = await answer(line.content);
    const message: Message<Answer> = { line: { subject, id: line.id, content } };
    worker.send(message, () => undefined);
  };
  worker.on('message', (message: Partial<Message<Question>>) => {
    if (message.line?.subject === subject) void reply(message as Message<Question>).catch(() => undefined);
  });
}

/** In a worker of a cluster: what it asks its primary on a subject. */
export class PrimaryLine<Question, Answer> {
  private readonly waiting = new Map<number, (answer: Answer) => void>();
  private asked = 0;

  constructor(
    private readonly subject: string,
    private readonly patience = PATIENCE_MS,
  ) {
    process.on('message', ({ line }: Partial<Message<Answer>>) => {
      if (line?.subject === subject) this.waiting.get(line.id)?.(line.content);
    });
  }

  /** Throws when the primary doesn't answer. */
  async ask(content: Question): Promise<Answer> {
    const id = ++this.asked;
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<Answer>((resolve, reject) => {
        this.waiting.set(id, resolve);
        timer = setTimeout(() => reject(new Error('The primary process does not answer.')), this.patience);
        const message: Message<Question> = { line: { subject: this.subject, id, content } };
        cluster.worker?.send(message);
      });
    } finally {
      clearTimeout(timer);
      this.waiting.delete(id);
    }
  }
}
