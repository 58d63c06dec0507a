/* global angular */
angular.module('page', []).run(async ($http, $httpParamSerializer) => {
  const { data: given } = await $http.get('/given')
  const form = {
    grant_type: 'password',
    username: given.TOKEN_ASSAY_USER_NAME,
    password: given.TOKEN_ASSAY_PASSWORD,
  }
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  let report = { signedIn: false }
  try {
    const { data: token } = await $http.post(`${given.TOKEN_ASSAY_URL}/Token`, $httpParamSerializer(form), {
      headers,
    })
    const bearer = { Authorization: `Bearer ${token.access_token}` }
    await $http.get(given.TOKEN_ASSAY_RESOURCE_URL, { headers: bearer })
    report = { signedIn: true, userName: token.userName, expiresAt: token['.expires'] }
  } finally {
    await $http.post('/done', report)
  }
})
angular.bootstrap(document, ['page'])
