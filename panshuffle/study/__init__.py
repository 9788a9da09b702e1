"""Files of many exact questions, answered on all cores or on a cluster, and tables of the answers."""
