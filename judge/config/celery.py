"""The Celery application: what travels through Redis is an id, and it is only a hint that a row is owed."""

import os

from celery import Celery
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "judge.config.settings")

LIVE_QUEUE = "live"
"""What people wait for."""
AUTHORING_QUEUE = "authoring"
"""What takes long and is asked for at the problem desk; it never stands before a submission."""
REGRADE_QUEUE = "regrade"
"""What is judged again, beside what counts."""
FEEDBACK_QUEUE = "feedback"
"""What helps after a failure: nobody's verdict waits for it."""
QUEUES = (LIVE_QUEUE, AUTHORING_QUEUE, REGRADE_QUEUE, FEEDBACK_QUEUE)

app = Celery("palfrey")
app.conf.update(
    broker_url=settings.REDIS_URL.replace("unix://", "redis+socket://", 1),
    broker_connection_retry_on_startup=True,
    broker_connection_timeout=4,
    broker_connection_max_retries=None,
    broker_transport_options={
        "visibility_timeout": 2 * settings.TASK_SECONDS + 60,
        "unacked_restore_interval": 5,
        "unacked_restore_throttle": 1,
        "unacked_mutex_expire": 10,
        "priority_steps": [0, 3, 6, 9],
        "queue_order_strategy": "priority",
        "socket_timeout": 30,
        "socket_connect_timeout": 4,
        "socket_keepalive": True,
    },
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    worker_prefetch_multiplier=1,
    task_ignore_result=True,
    task_time_limit=settings.TASK_SECONDS,
    task_default_queue=LIVE_QUEUE,
    worker_hijack_root_logger=False,
    worker_send_task_events=False,
    worker_cancel_long_running_tasks_on_connection_loss=False,
    worker_max_tasks_per_child=1000,
    worker_soft_shutdown_timeout=5,
    timezone="UTC",
)
app.autodiscover_tasks(
    ["judge.submissions", "judge.lessons", "judge.feedback", "judge.grades", "judge.authoring", "judge.regrades"]
)
