/**
 * The way to start a program without a network, where this host has one. In: nothing. Out: what stands before the program's own
 * command. A new network has no address but its own loopback; pipes that were open stay so.
 */
import { execFile } from 'node:child_process';

/** Asked of the kernel once a process; []: it does not let us, and a child has the network that we have. */
export function networkSeal(): Promise<readonly string[]> {
  asked ??= workingSeal(SEAL);
  return asked;
}

/** `seal`: a command that starts what follows it; [] where it can't. */
export function workingSeal(seal: readonly string[]): Promise<readonly string[]> {
  const [program = '', ...options] = seal;
  return new Promise((resolve) => {
    execFile(program, [...options, 'true'], { env: {}, timeout: LONGEST_MS }, (error) => resolve(error ? [] : seal));
  });
}

let asked: Promise<readonly string[]> | undefined;

/** A network needs a user of its own where we are not root: https://man7.org/linux/man-pages/man7/user_namespaces.7.html */
const SEAL = ['unshare', '--user', '--net', '--'];
const LONGEST_MS = 10_000;
