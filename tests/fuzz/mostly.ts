import fc, { type Arbitrary } from 'fast-check'

/** The usual value, and once in so many times another one. */
export const mostly = <T>(usual: T, seldom: Arbitrary<T>, once: number): Arbitrary<T> =>
  fc.oneof({ weight: once - 1, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: seldom })
