{{/* The service as an init container that keeps running. Its pod needs the label quorumlock.io/sidecar: "true". */}}
{{- define "quorumlock.sidecar.container" -}}
name: quorumlock
image: {{ include "quorumlock.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
# Starts before the other containers of the pod and stops after them, so that they can release their locks.
restartPolicy: Always
env:
  {{- include "quorumlock.nodesEnv" . | trim | nindent 2 }}
  # The JVM for a container of 160 MiB.
  - name: JDK_JAVA_OPTIONS
    value: "@/app/sidecar.options"
  # Reachable only from this pod.
  - name: QUARKUS_HTTP_HOST
    value: 127.0.0.1
  # The readiness of the pod must not depend on the masters.
  - name: QUORUMLOCK_HEALTH_READINESS_REQUIRES_QUORUM
    value: "false"
# Probes run in the container, because the service listens on 127.0.0.1 only.
startupProbe:
  exec:
    command: [bash, /app/probe, /q/health/started]
  periodSeconds: 1
  timeoutSeconds: 3
  failureThreshold: 60
livenessProbe:
  exec:
    command: [bash, /app/probe, /q/health/live]
  periodSeconds: 10
  timeoutSeconds: 3
readinessProbe:
  exec:
    command: [bash, /app/probe, /q/health/ready]
  periodSeconds: 10
  timeoutSeconds: 3
resources:
  requests:
    cpu: 100m
    memory: 160Mi
  limits:
    memory: 160Mi
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  seccompProfile:
    type: RuntimeDefault
  {{- include "quorumlock.containerSecurity" . | nindent 2 }}
volumeMounts:
  - name: quorumlock-tmp
    mountPath: /tmp
  {{- with include "quorumlock.authoritiesMount" . | trim }}
  {{- . | nindent 2 }}
  {{- end }}
{{- end }}

{{- define "quorumlock.sidecar.volumes" -}}
- name: quorumlock-tmp
  emptyDir:
    medium: Memory
    sizeLimit: 64Mi
{{- with include "quorumlock.authoritiesVolume" . | trim }}
{{- . | nindent 0 }}
{{- end }}
{{- end }}
