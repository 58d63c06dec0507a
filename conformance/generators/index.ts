import { email } from './email.js'
import { formCredentials, formEncoding } from './form-credentials.js'
import type { Generator } from './generator.js'
import { mediaType } from './media-type.js'
import {
  passwordBarely,
  passwordOfMinimumLength,
  passwordSatisfying,
  passwordViolating,
  passwordViolatingAll,
  passwordViolatingAny,
} from './password.js'
import { unknownUser } from './unknown-user.js'
import { unsupportedGrantType } from './unsupported-grant-type.js'
import { USER_NAME_KINDS, userName } from './user-name.js'
import { wrongMediaType } from './wrong-media-type.js'
import { wrongPassword } from './wrong-password.js'

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
    passwordSatisfying,
    passwordOfMinimumLength,
    passwordViolatingAny,
    passwordViolatingAll,
    passwordViolating(['minimum-length']),
    passwordViolating(['non-letter-or-digit']),
    passwordViolating(['digit']),
    passwordViolating(['lowercase']),
    passwordViolating(['uppercase']),
    passwordBarely('non-letter-or-digit'),
    passwordBarely('digit'),
    passwordBarely('lowercase'),
    passwordBarely('uppercase'),
    ...USER_NAME_KINDS.map(userName),
    email,
  ].map(
    // A generator only ever sees values that it made itself, so its own value type is safe to forget here.
    (generator) => [generator.name, generator as unknown as Generator],
  ),
)
