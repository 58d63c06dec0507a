import { constantResponseMutants } from './constant-response.js'
import { credentialsMutants } from './credentials.js'
import { dateMutants } from './dates.js'
import { errorMutants } from './errors.js'
import { expiresInMutants } from './expires-in.js'
import { externalLoginMutants } from './external-login.js'
import { flakyMutants } from './flaky.js'
import { formMutants } from './form.js'
import { grantTypeMutants } from './grant-type.js'
import { intermittentMutants } from './intermittent.js'
import { jsonTextMutants } from './json-text.js'
import { lifetimeMutants } from './lifetime.js'
import { mediaTypeMutants } from './media-type.js'
import { messageMutants } from './messages.js'
import { methodMutants } from './method.js'
import type { Mutant } from './mutant.js'
import { nodeMutants } from './nodes.js'
import { oneErrorMutants } from './one-error.js'
import { passwordClassMutants } from './password-classes.js'
import { policyMutants } from './policy.js'
import { projectTemplate } from './project-template.js'
import { registrationMutants } from './registration.js'
import { rejectionMutants } from './rejections.js'
import { storedPasswordMutants } from './stored-passwords.js'
import { tokenResponseMutants } from './token-response.js'
import { unavailableMutants } from './unavailable.js'
import { userIdMutants } from './user-id.js'
import { userNameMutants } from './user-name.js'
import { userMutants } from './users.js'

/** Every mutant, by topic. */
export const MUTANTS: readonly Mutant[] = [
  ...jsonTextMutants,
  ...tokenResponseMutants,
  ...expiresInMutants,
  ...userNameMutants,
  ...dateMutants,
  ...lifetimeMutants,
  ...userIdMutants,
  ...methodMutants,
  ...mediaTypeMutants,
  ...formMutants,
  ...grantTypeMutants,
  ...credentialsMutants,
  ...userMutants,
  ...errorMutants,
  ...oneErrorMutants,
  ...policyMutants,
  ...passwordClassMutants,
  ...registrationMutants,
  ...rejectionMutants,
  ...storedPasswordMutants,
  ...messageMutants,
  ...externalLoginMutants,
  ...intermittentMutants,
  ...flakyMutants,
  ...nodeMutants,
  ...constantResponseMutants,
  ...unavailableMutants,
  projectTemplate,
]
