/** What a worker's parent sends to learn how long its models ran. Apart from `model-time.ts`, which does something when it is imported. */
export const ASKED = 'model time';
