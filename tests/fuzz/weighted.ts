import fc, { type Arbitrary } from 'fast-check'

/** The usual value, and once in so many times another one. */
export const weighted = <T>(usual: T, other: Arbitrary<T>, once: number): Arbitrary<T> =>
  fc.oneof({ weight: once - 1, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other })
