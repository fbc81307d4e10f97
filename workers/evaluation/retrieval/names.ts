/** The ways of searching that are measured. Apart from their code, so that the command line can name them without loading it. */

/** `merged`: the first passages of both arms together. `ranked`: the first of these with what the cross-encoder says of them. */
export const ARMS = ['sparse', 'dense', 'merged', 'ranked'] as const;
export type Arm = (typeof ARMS)[number];
