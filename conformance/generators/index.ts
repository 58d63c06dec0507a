import { formCredentials, specialFormCredentials } from './form-credentials.js'
import type { Generator } from './generator.js'
import { unknownUser } from './unknown-user.js'
import { unsupportedGrantType } from './unsupported-grant-type.js'
import { wrongMediaType } from './wrong-media-type.js'
import { wrongPassword } from './wrong-password.js'

/** Every generator that a case may name in `forall`. */
export const GENERATORS: ReadonlyMap<string, Generator> = new Map(
  [
    unsupportedGrantType,
    wrongMediaType,
    wrongPassword,
    unknownUser,
    formCredentials,
    specialFormCredentials,
  ].map(
    // A generator only ever sees values that it made itself, so its own value type is safe to forget here.
    (generator) => [generator.name, generator as unknown as Generator],
  ),
)
