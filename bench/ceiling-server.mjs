/** Responds to every request with the same bytes. The rate that the load generator reaches here is the most it can measure. */
import { createServer } from 'node:net';

const sizes = { small: 1_900, large: 47_000 };
const answers = Object.fromEntries(
  Object.entries(sizes).map(([name, size]) => [
    name,
    Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n${'x'.repeat(size)}`),
  ]),
);

const server = createServer((socket) => {
  socket.setNoDelay(true);
  socket.on('data', (chunk) => socket.write(answers[chunk.includes('large') ? 'large' : 'small']));
  socket.on('error', () => {});
});
server.listen(Number(process.env.PORT), '127.0.0.1', () => process.send('ready'));
process.on('disconnect', () => process.exit(0));
