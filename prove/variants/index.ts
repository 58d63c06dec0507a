import { bodyVariants } from './bodies.js'
import { deliveryVariants } from './delivery.js'
import { refusalVariants } from './refusals.js'
import { registrationVariants } from './registration.js'
import { tokenVariants } from './tokens.js'
import type { Variant } from './variant.js'

/** Every benign variant, by topic. */
export const VARIANTS: readonly Variant[] = [
  ...bodyVariants,
  ...tokenVariants,
  ...deliveryVariants,
  ...refusalVariants,
  ...registrationVariants,
]
