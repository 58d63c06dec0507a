/** How an account is registered at the reference server, as a target file declares it. */
export const REGISTRATION_REQUEST = {
  path: '/accounts',
  json: { userName: '$userName', email: '$email', password: '$password' },
} as const
