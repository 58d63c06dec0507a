set -euo pipefail
answer=$(curl -sSf "$TOKEN_ASSAY_URL/Token" -d grant_type=password \
  --data-urlencode "username=$TOKEN_ASSAY_USER_NAME" --data-urlencode "password=$TOKEN_ASSAY_PASSWORD")
token=$(jq -r '.access_token | select(length > 0)' <<< "$answer")
test -n "$token"
curl -sSf -o /dev/null -H "Authorization: Bearer $token" "$TOKEN_ASSAY_RESOURCE_URL"
jq -c '{userName, expiresAt: .[".expires"]}' <<< "$answer"
