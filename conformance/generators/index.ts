import { formCredentials, formEncoding } from './form-credentials.js'
import type { Generator } from './generator.js'
import { mediaType, wrongMediaType } from './media-types.js'
import { allowedUserName, email, userNames } from './new-accounts.js'
import { passwords } from './passwords.js'
import { unsupportedGrantType } from './unsupported-grant-type.js'
import { unusualPassword } from './unusual-passwords.js'
import { unknownUser, wrongPassword } from './wrong-credentials.js'

/** Every generator that a case may name in `forall`. */
export const GENERATORS: ReadonlyMap<string, Generator> = new Map(
  [
    unsupportedGrantType,
    wrongMediaType,
    mediaType,
    formEncoding,
    formCredentials,
    wrongPassword,
    unknownUser,
    ...passwords,
    unusualPassword,
    ...userNames,
    allowedUserName,
    email,
  ].map(
    // A generator only ever sees values that it made itself, so its own value type is safe to forget here.
    (generator) => [generator.name, generator as unknown as Generator],
  ),
)
