# Debian's ejabberd with a fresh database in a temporary folder, and its OAuth handler alone, as its page "OAuth support"
# describes: `oauth_access` for everyone, and the lifetime. Its runtime is started as ejabberdctl starts it, but under the user who
# asks and without distribution. The port is opened only when the accounts are there.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
export EJABBERD_CONFIG_PATH="$folder/ejabberd.yml" EJABBERD_LOG_PATH="$folder/ejabberd.log"
export ERL_LIBS=/usr/lib/x86_64-linux-gnu ERL_CRASH_DUMP=/dev/null
base='{hosts: [localhost], loglevel: none, acme: {auto: false}, oauth_access: all, oauth_expire: 1209600, listen: ['

ejabberd() { erl -noinput -mnesia dir "\"$folder\"" -s ejabberd "$@"; }

printf '%s]}\n' "$base" > "$EJABBERD_CONFIG_PATH"
ejabberd -eval '
  Add = fun(Name, Variable) ->
    Password = unicode:characters_to_binary(os:getenv(Variable)),
    ok = ejabberd_auth:try_register(unicode:characters_to_binary(Name), <<"localhost">>, Password)
  end,
  Add("alice", "ALICE_PASSWORD"),
  Add("zo\x{eb}", "ZOE_PASSWORD"),
  init:stop().'
printf '%s{port: %s, ip: 127.0.0.1, module: ejabberd_http, request_handlers: {/oauth: ejabberd_oauth}}]}\n' \
  "$base" "$PORT" > "$EJABBERD_CONFIG_PATH"
ejabberd &
trap 'kill $!' TERM INT
wait $! || wait $!
