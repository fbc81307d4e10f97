import { once } from 'node:events';
import { connect } from 'node:net';
import { type Served, serve } from './served.ts';

let served: Served;
beforeEach(async () => {
  served = await serve();
});

test('the service stops though a browser holds a connection on which it has not asked yet', async () => {
  const socket = connect(served.port, '127.0.0.1');
  await once(socket, 'connect');
  const cut = once(socket, 'close');
  await served.close();
  await cut;
}, 10_000);

test('it stops though half a request has come', async () => {
  const socket = connect(served.port, '127.0.0.1');
  socket.on('error', () => {}); // it is cut, which is what is asked here
  socket.write('GET / HTTP/1.1\r\nHost: ');
  await once(socket, 'connect');
  await served.close();
  socket.destroy();
}, 10_000);
