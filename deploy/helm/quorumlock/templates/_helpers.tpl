{{/* A DNS-1035 label, as names of Services require. Names of releases may contain dots. */}}
{{- define "quorumlock.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride -}}
{{- else -}}
{{- $suffix := .Values.nameOverride | default "quorumlock" -}}
{{- $name := ternary .Release.Name (printf "%s-%s" .Release.Name $suffix) (contains $suffix .Release.Name) -}}
{{- regexReplaceAll "-+$" ($name | replace "." "-" | trunc 40) "" -}}
{{- end -}}
{{- end }}

{{- define "quorumlock.masters.fullname" -}}
{{- printf "%s-masters" (include "quorumlock.fullname" .) -}}
{{- end }}

{{- define "quorumlock.selector" -}}
app.kubernetes.io/name: quorumlock
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end }}

{{- define "quorumlock.masters.selector" -}}
app.kubernetes.io/name: quorumlock-masters
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end }}

{{- define "quorumlock.commonLabels" -}}
app.kubernetes.io/part-of: quorumlock
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "quorumlock.labels" -}}
{{ include "quorumlock.selector" . }}
{{ include "quorumlock.commonLabels" . }}
{{- end }}

{{- define "quorumlock.masters.labels" -}}
{{ include "quorumlock.masters.selector" . }}
{{ include "quorumlock.commonLabels" . }}
{{- end }}

{{- define "quorumlock.image" -}}
{{- with .Values.image -}}
{{- .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end -}}
{{- end }}

{{- define "quorumlock.masters.image" -}}
{{- with .Values.masters.image -}}
{{- .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag }}{{ end }}
{{- end -}}
{{- end }}

{{- define "quorumlock.serviceAccount" -}}
{{- with .Values.serviceAccount -}}
{{- .name | default (ternary (include "quorumlock.fullname" $) "default" .create) -}}
{{- end -}}
{{- end }}

{{- define "quorumlock.masters.serviceAccount" -}}
{{- with .Values.masters.serviceAccount -}}
{{- .name | default (ternary (include "quorumlock.masters.fullname" $) "default" .create) -}}
{{- end -}}
{{- end }}

{{/* The fields of pods with these names in a group of values. */}}
{{- define "quorumlock.placement" -}}
{{- range $field := list "priorityClassName" "nodeSelector" "tolerations" -}}
{{- with get $ $field }}
{{ dict $field . | toYaml }}
{{- end -}}
{{- end -}}
{{- end }}

{{- define "quorumlock.keysSecret" -}}
{{- if .Values.security.existingSecret -}}
{{- .Values.security.existingSecret -}}
{{- else if .Values.security.keys -}}
{{- printf "%s-keys" (include "quorumlock.fullname" .) -}}
{{- end -}}
{{- end }}

{{- define "quorumlock.tlsSecret" -}}
{{- .Values.tls.existingSecret | default (printf "%s-tls" (include "quorumlock.fullname" .)) -}}
{{- end }}

{{- define "quorumlock.masters.secret" -}}
{{- .Values.masters.existingSecret | default (include "quorumlock.masters.fullname" .) -}}
{{- end }}

{{- define "quorumlock.nodesSecret" -}}
{{- .Values.externalMasters.existingSecret | default (printf "%s-nodes" (include "quorumlock.fullname" .)) -}}
{{- end }}

{{/* The masters, with their namespace, so that the same names work in sidecars of all namespaces. */}}
{{- define "quorumlock.nodes" -}}
{{- $masters := include "quorumlock.masters.fullname" . -}}
{{- $nodes := list -}}
{{- range $i := until (int .Values.masters.replicas) -}}
{{- $host := printf "%s-%d.%s.%s.svc" $masters $i $masters $.Release.Namespace -}}
{{- $nodes = append $nodes (printf "redis://quorumlock:$(MASTERS_PASSWORD)@%s:6379" $host) -}}
{{- end -}}
{{- join "," $nodes -}}
{{- end }}

{{/* The members of the cluster, with their namespace, so that the same names work in sidecars of all namespaces. */}}
{{- define "quorumlock.members" -}}
{{- $name := include "quorumlock.fullname" . -}}
{{- $members := list -}}
{{- range $i := until (int .Values.replicas) -}}
{{- $members = append $members (printf "%s-%d.%s-members.%s.svc" $name $i $name $.Release.Namespace) -}}
{{- end -}}
{{- join "," $members -}}
{{- end }}

{{- define "quorumlock.storeServers" -}}
{{- if .Values.cluster.enabled -}}
{{- include "quorumlock.members" . | replace ".svc" ".svc:2181" -}}
{{- else -}}
{{- join "," .Values.store.servers -}}
{{- end -}}
{{- end }}

{{- define "quorumlock.memberEnv" -}}
- name: QUORUMLOCK_CLUSTER_DATA
  value: /data
- name: QUORUMLOCK_CLUSTER_MEMBERS
  value: {{ include "quorumlock.members" . }}
{{- with .Values.cluster.founded }}
- name: QUORUMLOCK_CLUSTER_FOUNDED
  value: {{ . | int64 | quote }}
{{- end }}
{{- include "quorumlock.valuesEnv" . }}
{{- end }}

{{- define "quorumlock.nodesEnv" -}}
{{- if ne .Values.engine "redlock" }}
- name: QUORUMLOCK_ENGINE
  value: {{ .Values.engine }}
- name: QUORUMLOCK_{{ upper .Values.engine }}_SERVERS
  value: {{ include "quorumlock.storeServers" . }}
{{- else if .Values.masters.enabled }}
- name: MASTERS_PASSWORD
  valueFrom:
    secretKeyRef:
      name: {{ include "quorumlock.masters.secret" . }}
      key: password
# Must be the same on all replicas and sidecars. Do not change it in a rolling update: docs/masters.md.
- name: QUORUMLOCK_NODES
  value: {{ include "quorumlock.nodes" . }}
{{- if not (hasKey .Values.env "QUORUMLOCK_MASTERS_PERSIST") }}
# These masters persist every write.
- name: QUORUMLOCK_MASTERS_PERSIST
  value: "true"
{{- end }}
{{- else }}
- name: QUORUMLOCK_NODES
  valueFrom:
    secretKeyRef:
      name: {{ include "quorumlock.nodesSecret" . }}
      key: nodes
{{- if .Values.externalMasters.authorities }}
- name: QUORUMLOCK_NODE_CA_FILE
  value: /etc/quorumlock-masters/ca.crt
{{- end }}
{{- end }}
{{- include "quorumlock.valuesEnv" . }}
{{- end }}

{{- define "quorumlock.valuesEnv" -}}
{{- range $name, $value := .Values.env }}
- name: {{ $name }}
  {{- /* Numbers in files are floats. As such, 1000000 would be rendered as 1e+06. */}}
  value: {{ ternary ($value | int64) $value (kindIs "float64" $value) | quote }}
{{- end }}
{{- end }}

{{- define "quorumlock.authoritiesMount" -}}
{{- if and (not .Values.masters.enabled) .Values.externalMasters.authorities }}
- name: quorumlock-authorities
  mountPath: /etc/quorumlock-masters
  readOnly: true
{{- end }}
{{- end }}

{{- define "quorumlock.authoritiesVolume" -}}
{{- if and (not .Values.masters.enabled) .Values.externalMasters.authorities }}
- name: quorumlock-authorities
  secret:
    secretName: {{ include "quorumlock.fullname" . }}-authorities
{{- end }}
{{- end }}

{{- define "quorumlock.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- define "quorumlock.check" -}}
{{- if not (regexMatch "^[a-z]" (include "quorumlock.fullname" .)) -}}
{{- fail (printf "the name of the release, %s, starts with a digit, which is not allowed in names of Services: set fullnameOverride" .Release.Name) -}}
{{- end -}}
{{- if not (or .Values.security.open .Values.security.keys .Values.security.existingSecret .Values.tls.clientCertificatesRequired) -}}
{{- fail "every client in the cluster could take and break locks: set security.keys or security.existingSecret, or security.open=true if this is intended" -}}
{{- end -}}
{{- if and .Values.security.keys .Values.security.existingSecret -}}
{{- fail "security.keys is ignored with security.existingSecret: put the keys into keys.json of the secret, or remove existingSecret" -}}
{{- end -}}
{{- if not .Values.tls.enabled -}}
{{- range list "existingSecret" "certificate" "key" "clientAuthorities" -}}
{{- if get $.Values.tls . -}}
{{- fail (printf "tls.%s needs tls.enabled" .) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if and .Values.tls.enabled (not .Values.tls.existingSecret) (not (and .Values.tls.certificate .Values.tls.key)) -}}
{{- fail "tls.enabled needs tls.existingSecret, or tls.certificate and tls.key" -}}
{{- end -}}
{{- if and .Values.tls.existingSecret (or .Values.tls.certificate .Values.tls.key) -}}
{{- fail "tls.certificate and tls.key are ignored with tls.existingSecret: put them into tls.crt and tls.key of the secret, or remove existingSecret" -}}
{{- end -}}
{{- if and .Values.tls.existingSecret .Values.tls.clientAuthorities -}}
{{- fail "tls.clientAuthorities is ignored with tls.existingSecret: put the authorities into ca.crt of the secret, or remove existingSecret" -}}
{{- end -}}
{{- if and .Values.tls.clientAuthorities (not .Values.tls.clientCertificatesRequired) -}}
{{- fail "tls.clientAuthorities needs tls.clientCertificatesRequired" -}}
{{- end -}}
{{- if .Values.tls.clientCertificatesRequired -}}
{{- if not .Values.tls.enabled -}}
{{- fail "tls.clientCertificatesRequired needs tls.enabled" -}}
{{- end -}}
{{- if not (or .Values.tls.existingSecret .Values.tls.clientAuthorities) -}}
{{- fail "tls.clientCertificatesRequired needs tls.clientAuthorities, or tls.existingSecret with ca.crt" -}}
{{- end -}}
{{- end -}}
{{- if and .Values.masters.existingSecret (or .Values.masters.password .Values.masters.secondPassword) -}}
{{- fail "masters.password and masters.secondPassword are ignored with masters.existingSecret: put them into password and second-password of the secret, or remove existingSecret" -}}
{{- end -}}
{{- if not .Values.masters.enabled -}}
{{- range list "existingSecret" "password" "secondPassword" -}}
{{- if get $.Values.masters . -}}
{{- fail (printf "masters.%s needs masters.enabled=true" .) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if and .Values.externalMasters.existingSecret .Values.externalMasters.urls -}}
{{- fail "externalMasters.urls is ignored with externalMasters.existingSecret: put the URLs into nodes of the secret, or remove existingSecret" -}}
{{- end -}}
{{- if hasKey .Values.env "QUORUMLOCK_NODES" -}}
{{- fail "env.QUORUMLOCK_NODES would replace the masters of the chart: set externalMasters instead" -}}
{{- end -}}
{{- range .Values.extraEnv -}}
{{- if eq .name "QUORUMLOCK_NODES" -}}
{{- fail "QUORUMLOCK_NODES in extraEnv would replace the masters of the chart: set externalMasters instead" -}}
{{- end -}}
{{- end -}}
{{- if and .Values.ingress.enabled (not .Values.ingress.hosts) -}}
{{- fail "ingress.enabled needs ingress.hosts" -}}
{{- end -}}
{{- if gt (int .Values.autoscaling.minReplicas) (int .Values.autoscaling.maxReplicas) -}}
{{- fail "autoscaling.minReplicas must not be greater than autoscaling.maxReplicas" -}}
{{- end -}}
{{- $external := or .Values.externalMasters.urls .Values.externalMasters.existingSecret -}}
{{- if .Values.masters.enabled -}}
{{- range list "urls" "existingSecret" "authorities" -}}
{{- if get $.Values.externalMasters . -}}
{{- fail (printf "externalMasters.%s needs masters.enabled=false" .) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if eq .Values.engine "redlock" -}}
{{- if .Values.store.servers -}}
{{- fail "store.servers needs engine=zookeeper or engine=etcd" -}}
{{- end -}}
{{- else if or .Values.masters.enabled $external -}}
{{- fail (printf "engine=%s uses no masters: set masters.enabled=false, and remove externalMasters" .Values.engine) -}}
{{- else if not (or .Values.store.servers .Values.cluster.enabled) -}}
{{- fail (printf "engine=%s needs store.servers" .Values.engine) -}}
{{- end -}}
{{- if .Values.cluster.enabled -}}
{{- if or (ne .Values.engine "zookeeper") .Values.store.servers -}}
{{- fail "cluster.enabled needs engine=zookeeper, and no store.servers" -}}
{{- end -}}
{{- if or .Values.autoscaling.enabled (lt (int .Values.replicas) 3) (eq (mod (int .Values.replicas) 2) 0) -}}
{{- fail "cluster.enabled needs replicas=3 or 5, without autoscaling: each replica is a member" -}}
{{- end -}}
{{- end -}}
{{- if not (or .Values.masters.enabled $external .Values.store.servers .Values.cluster.enabled) -}}
{{- fail "masters.enabled=false needs externalMasters.urls or externalMasters.existingSecret" -}}
{{- end -}}
{{- if eq (mod .Values.masters.replicas 2) 0 -}}
{{- fail "masters.replicas must be an odd number: an even one tolerates no more failures than one master less" -}}
{{- end -}}
{{- $urls := len .Values.externalMasters.urls -}}
{{- if and $urls (eq (mod $urls 2) 0) -}}
{{- fail "externalMasters.urls must be an odd number of masters" -}}
{{- end -}}
{{- include "quorumlock.checkUpgrade" . -}}
{{- end }}
