{{- define "passerelle.labels" -}}
app.kubernetes.io/name: passerelle
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "passerelle.name" -}}
{{ printf "%s-passerelle" .Release.Name | trunc 50 | trimSuffix "-" }}
{{- end }}

{{/* (list $ "api") */}}
{{- define "passerelle.selector" -}}
app.kubernetes.io/name: passerelle
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{- define "passerelle.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "passerelle.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "passerelle.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{/* (list $ "serve"): the address of the database for this role, "" for the owner; without its password. */}}
{{- define "passerelle.databaseUrl" -}}
{{- $database := (index . 0).Values.database -}}
{{- $host := required "database.host is missing: PostgreSQL is not part of the chart" $database.host -}}
{{- $user := eq (index . 1) "" | ternary $database.owner (printf "%s_%s" $database.name (index . 1)) -}}
postgres://{{ $user }}@{{ $host }}:{{ $database.port }}/{{ $database.name }}{{ with $database.parameters }}?{{ . }}{{ end }}
{{- end }}

{{- define "passerelle.secretName" -}}
{{ required "secrets.existingSecret is missing: docs/kubernetes.md says what it has to hold" .Values.secrets.existingSecret }}
{{- end }}

{{/* (list $ "serve-password" …): one file for each key, below /run/secrets/passerelle. */}}
{{- define "passerelle.secretVolume" -}}
- name: secrets
  secret:
    secretName: {{ include "passerelle.secretName" (index . 0) }}
    defaultMode: 0440
    items:
      {{- range rest . }}
      - key: {{ . }}
        path: {{ . }}
      {{- end }}
{{- end }}

{{/* (list $ "API"): the settings of `settings` that this program reads. files/readers.json comes from the settings table. */}}
{{- define "passerelle.settings" -}}
{{- $root := index . 0 -}}
{{- $program := index . 1 -}}
{{- $readers := $root.Files.Get "files/readers.json" | fromJson -}}
{{- range $name, $value := $root.Values.settings }}
{{- if has $program (get $readers $name) }}
- name: {{ $name }}
  value: {{ $value | toString | quote }}
{{- end }}
{{- end }}
{{- end }}

{{/* What the API and the ingestor have in common. (list $ "API" "serve") */}}
{{- define "passerelle.environment" -}}
{{- $root := index . 0 -}}
- name: DATABASE_URL
  value: {{ include "passerelle.databaseUrl" (list $root (index . 2)) | quote }}
- name: DATABASE_PASSWORD_FILE
  value: /run/secrets/passerelle/{{ index . 2 }}-password
- name: SECRETS_KEY_FILE
  value: /run/secrets/passerelle/secrets-key
{{- if $root.Values.secrets.hasOldKey }}
- name: SECRETS_KEY_OLD_FILE
  value: /run/secrets/passerelle/secrets-key-old
{{- end }}
- name: OPS_TOKEN_FILE
  value: /run/secrets/passerelle/ops-token
- name: BASE_URL
  value: {{ required "baseUrl is missing: the public address of the API" $root.Values.baseUrl | quote }}
{{- with $root.Values.redis.url }}
- name: REDIS_URL
  value: {{ . | quote }}
- name: REDIS_PASSWORD_FILE
  value: /run/secrets/passerelle/redis-password
{{- end }}
{{- if $root.Values.media.bucketUrl }}
- name: MEDIA_BUCKET_URL
  value: {{ $root.Values.media.bucketUrl | quote }}
{{- else if not $root.Values.media.none }}
{{- fail "media.bucketUrl is missing: photos that come as files would be lost with a pod; media.none: true if none ever do" }}
{{- end }}
{{- include "passerelle.settings" (list $root (index . 1)) }}
{{- end }}

{{- define "passerelle.bucketCredentials" -}}
{{- with .Values.media.credentialsSecret }}
envFrom:
  - secretRef:
      name: {{ . }}
{{- end }}
{{- end }}

{{/* (list $ "serve-password" …): the keys that a program reads beside those that all read. */}}
{{- define "passerelle.programSecrets" -}}
{{- $root := index . 0 -}}
{{- $keys := concat . (list "secrets-key" "ops-token") -}}
{{- if $root.Values.secrets.hasOldKey }}{{ $keys = append $keys "secrets-key-old" }}{{ end -}}
{{- if $root.Values.redis.url }}{{ $keys = append $keys "redis-password" }}{{ end -}}
{{ include "passerelle.secretVolume" $keys }}
{{- end }}

{{/* Labels and annotations of a pod. (list $ "api") */}}
{{- define "passerelle.podMetadata" -}}
{{- $values := get (index . 0).Values (index . 1) -}}
labels:
  {{- include "passerelle.selector" . | nindent 2 }}
  {{- with $values.podLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with $values.podAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* Variables behind those of the chart. (list $ "api") */}}
{{- define "passerelle.extraEnv" -}}
{{- $root := index . 0 -}}
{{- if include "passerelle.caVolume" $root }}
- name: NODE_EXTRA_CA_CERTS
  value: /etc/passerelle/ca/{{ $root.Values.customCA.key }}
{{- end }}
{{- with concat $root.Values.extraEnv (get $root.Values (index . 1)).extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* The volume with the certificates of customCA; empty without one. */}}
{{- define "passerelle.caVolume" -}}
{{- with .Values.customCA }}
{{- if .configMap -}}
configMap: { name: {{ .configMap }}, items: [{ key: {{ .key }}, path: {{ .key }} }] }
{{- else if .secret -}}
secret: { secretName: {{ .secret }}, defaultMode: 0440, items: [{ key: {{ .key }}, path: {{ .key }} }] }
{{- end }}
{{- end }}
{{- end }}

{{/* (list $ "api") */}}
{{- define "passerelle.extraVolumes" -}}
{{- $root := index . 0 -}}
{{- with include "passerelle.caVolume" $root }}
- name: custom-ca
  {{- . | nindent 2 }}
{{- end }}
{{- with (get $root.Values (index . 1)).extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* (list $ "api") */}}
{{- define "passerelle.extraVolumeMounts" -}}
{{- $root := index . 0 -}}
{{- if include "passerelle.caVolume" $root }}
- name: custom-ca
  mountPath: /etc/passerelle/ca
  readOnly: true
{{- end }}
{{- with (get $root.Values (index . 1)).extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* The port of an http or https address. */}}
{{- define "passerelle.portOf" -}}
{{- $url := . | replace "%3A" ":" | replace "%3a" ":" | replace "%2F" "/" | replace "%2f" "/" -}}
{{- $port := regexFind ":[0-9]+$" (urlParse $url).host | trimPrefix ":" -}}
{{- $port | default (hasPrefix "http:" $url | ternary "80" "443") -}}
{{- end }}

{{/* The ports outside of database and Redis to which a pod connects, with commas. (list $ "api") */}}
{{- define "passerelle.outsidePorts" -}}
{{- $values := (index . 0).Values -}}
{{- $ports := list "443" -}}
{{- if eq (index . 1) "api" -}}
{{- with regexFind "[?&]endpoint=[^&]+" $values.media.bucketUrl -}}
{{- $ports = append $ports (regexReplaceAll "^.endpoint=" . "" | include "passerelle.portOf") -}}
{{- end -}}
{{- with $values.settings.OTEL_EXPORTER_OTLP_ENDPOINT -}}
{{- $ports = append $ports (include "passerelle.portOf" .) -}}
{{- end -}}
{{- else if eq (index . 1) "console" -}}
{{- with $values.settings.OIDC_ISSUER -}}
{{- $ports = append $ports (include "passerelle.portOf" .) -}}
{{- end -}}
{{- end -}}
{{- uniq $ports | join "," -}}
{{- end }}

{{/* One pod gone at a time, and not all on one machine. (list $ "api") */}}
{{- define "passerelle.placement" -}}
{{- $values := get (index . 0).Values (index . 1) -}}
{{- if ne (index . 1) "migrate" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "passerelle.selector" . | nindent 8 }}
{{- end }}
{{- with $values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with $values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
