export const form = 'application/x-www-form-urlencoded'
export const json = 'application/json'
