#!/bin/sh
# Starts Alertmanager with the receivers in the environment: NOTIFY_EMAIL, through the mail server
# of MAIL_URL (smtp:// or smtps://, from a file) with the sender MAIL_FROM; and NOTIFY_WEBHOOK_URL.
# Without receivers, Alertmanager only shows alerts on its page.
# $ start.sh ALERTMANAGER [OPTION ...]
set -eu
config=${ALERTMANAGER_CONFIG:-/tmp/alertmanager.yml}
mail_url_file=${MAIL_URL_FILE:-/run/secrets/mail_url}

fail() {
  echo "alertmanager: $1" >&2
  exit 1
}

# Quotes a text for YAML, in single quotes.
quoted() { printf "'%s'" "$(printf '%s' "$1" | sed "s/'/''/g")"; }
# Decodes percent-encoded bytes.
decoded() {
  left=$1
  while :; do
    case $left in
      *%[0-9a-fA-F][0-9a-fA-F]*) ;;
      *) break ;;
    esac
    printf '%s' "${left%%%*}"
    left=${left#*%}
    case $left in
      [0-9a-fA-F][0-9a-fA-F]*)
        hex=$(printf '%.2s' "$left")
        printf "\\$(printf '%03o' "0x$hex")"
        left=${left#??}
        ;;
      *) printf '%%' ;;
    esac
  done
  printf '%s' "$left"
}

receivers() {
  if [ -n "${NOTIFY_EMAIL:-}" ]; then
    [ -s "$mail_url_file" ] || fail 'NOTIFY_EMAIL needs MAIL_URL: start with deploy/compose/mail.yml as well'
    [ -n "${MAIL_FROM:-}" ] || fail 'NOTIFY_EMAIL needs MAIL_FROM'
    mail_url=$(cat "$mail_url_file")
    scheme=${mail_url%%://*}
    rest=${mail_url#*://}
    rest=${rest%%/*}
    rest=${rest%%\?*}
    account=
    case $rest in *@*) account=${rest%@*} rest=${rest##*@} ;; esac
    case $scheme in
      smtp) port=587 ;;
      smtps) port=465 ;;
      *) fail 'MAIL_URL must begin with smtp:// or smtps://' ;;
    esac
    case $rest in *:*) ;; *) rest=$rest:$port ;; esac
    echo '    email_configs:'
    for address in $(printf '%s' "$NOTIFY_EMAIL" | tr ',' ' '); do
      printf '      - to: %s\n' "$(quoted "$address")"
      printf '        from: %s\n' "$(quoted "$MAIL_FROM")"
      printf '        smarthost: %s\n' "$(quoted "$rest")"
      # Requires TLS when there is a password, so that it is never sent in clear text.
      if [ "$scheme$account" = smtp ]; then echo '        require_tls: false'; else echo '        require_tls: true'; fi
      if [ -n "$account" ]; then
        printf '        auth_username: %s\n' "$(quoted "$(decoded "${account%%:*}")")"
        printf '        auth_password: %s\n' "$(quoted "$(decoded "${account#*:}")")"
      fi
      echo '        send_resolved: true'
    done
  fi
  if [ -n "${NOTIFY_WEBHOOK_URL:-}" ]; then
    echo '    webhook_configs:'
    printf '      - url: %s\n' "$(quoted "$NOTIFY_WEBHOOK_URL")"
    echo '        send_resolved: true'
  fi
}

umask 077
# Assigned to a variable, because only then does a failure end the script.
receivers=$(receivers)
{
  cat <<'YAML'
route:
  receiver: operators
  group_by: [alertname]
  group_wait: 15s
  group_interval: 1m
  repeat_interval: 6h
  routes:
    # A ticket is work for office hours, so it is repeated only once a day.
    - matchers: ['severity="ticket"']
      repeat_interval: 24h
receivers:
  - name: operators
YAML
  printf '%s\n' "$receivers"
} >"$config"
exec "$@" --config.file="$config"
