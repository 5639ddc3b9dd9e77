import cluster, { type Worker } from 'node:cluster';

interface Message<Content> {
  request: { subject: string; id: number; content: Content };
}

/** A primary that does not answer within this time is about to end. */
const TIMEOUT_MS = 500;

/** In the primary of a cluster: answers the worker's requests on a subject. A request whose answer throws is not answered. */
export function answerRequests<Question, Answer>(
  worker: Worker,
  subject: string,
  answer: (question: Question) => Answer | Promise<Answer>,
): void {
  const reply = async ({ request }: Message<Question>): Promise<void> => {
    const content = await answer(request.content);
    const message: Message<Answer> = { request: { subject, id: request.id, content } };
    worker.send(message, () => undefined);
  };
  worker.on('message', (message: Partial<Message<Question>>) => {
    if (message.request?.subject === subject) void reply(message as Message<Question>).catch(() => undefined);
  });
}

/** In a worker of a cluster: sends requests on one subject to the primary. */
export class PrimaryClient<Question, Answer> {
  private readonly waiting = new Map<number, (answer: Answer) => void>();
  private asked = 0;

  constructor(
    private readonly subject: string,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {
    process.on('message', ({ request }: Partial<Message<Answer>>) => {
      if (request?.subject === subject) this.waiting.get(request.id)?.(request.content);
    });
  }

  /** Throws when the primary does not answer in time. */
  async request(content: Question): Promise<Answer> {
    const id = ++this.asked;
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<Answer>((resolve, reject) => {
        this.waiting.set(id, resolve);
        timer = setTimeout(() => reject(new Error('The primary process did not respond.')), this.timeoutMs);
        const message: Message<Question> = { request: { subject: this.subject, id, content } };
        cluster.worker?.send(message);
      });
    } finally {
      clearTimeout(timer);
      this.waiting.delete(id);
    }
  }
}
