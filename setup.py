"""All metadata is in pyproject.toml; this file serves tools that still ask for it."""
from setuptools import setup

setup()
