"""Supervises the children described by the JSON list in its first argument, with logs in its second; says "ready"."""

import json
import os
import sys
from pathlib import Path

from judge.operations.supervisor import Child, Supervisor

if __name__ == "__main__":
    supervisor = Supervisor(logs=Path(sys.argv[2]), environment=os.environ)
    supervisor.when_ready = lambda: supervisor.say("keeper", "ready")
    for child in json.loads(sys.argv[1]):
        supervisor.start(Child(**child))
    supervisor.run()
