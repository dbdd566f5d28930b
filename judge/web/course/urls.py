"""The addresses of courses."""

from django.urls import path

from judge.web.course import assignments, courses, grades, people, similarity, statistics

urlpatterns = [
    path("courses/", courses.courses, name="courses"),
    path("courses/new", courses.new, name="course-new"),
    path("courses/<slug:slug>/", assignments.course, name="course"),
    path("courses/<slug:slug>/settings", courses.settings, name="course-settings"),
    path("courses/<slug:slug>/log", courses.log, name="course-log"),
    path("courses/<slug:slug>/people/", people.people, name="course-people"),
    path("courses/<slug:slug>/people/list", people.upload, name="course-roster"),
    path("courses/<slug:slug>/people/list.csv", people.download, name="course-roster-csv"),
    path("courses/<slug:slug>/people/invitations", people.invite, name="course-invitations"),
    path("courses/<slug:slug>/people/<int:pk>/", people.member, name="course-member"),
    path("courses/<slug:slug>/sections", people.add_section, name="course-sections"),
    path("courses/<slug:slug>/sections/<int:pk>/remove", people.remove_section, name="course-section-remove"),
    path("courses/<slug:slug>/assignments/new", assignments.new, name="assignment-new"),
    path("courses/<slug:slug>/assignments/<int:pk>/", assignments.assignment, name="assignment"),
    path("courses/<slug:slug>/assignments/<int:pk>/help", assignments.hints_used, name="assignment-help"),
    path("courses/<slug:slug>/assignments/<int:pk>/edit", assignments.edit, name="assignment-edit"),
    path("courses/<slug:slug>/assignments/<int:pk>/remove", assignments.remove, name="assignment-remove"),
    path("courses/<slug:slug>/assignments/<int:pk>/extensions", assignments.extensions, name="assignment-extensions"),
    path(
        "courses/<slug:slug>/assignments/<int:pk>/extensions/<int:extension>/remove",
        assignments.take_back,
        name="assignment-extension-remove",
    ),
    path("courses/<slug:slug>/statistics/<int:entry>/", statistics.problem, name="problem-statistics"),
    path("courses/<slug:slug>/similarity/<int:entry>/", similarity.similarity, name="similarity"),
    path("courses/<slug:slug>/similarity/<int:entry>/<int:one>/<int:other>/", similarity.pair, name="similarity-pair"),
    path("courses/<slug:slug>/grades/", grades.book, name="gradebook"),
    path("courses/<slug:slug>/grades.<str:kind>", grades.export, name="gradebook-export"),
    path("courses/<slug:slug>/grades/<int:entry>/<int:student>/", grades.cell, name="grade-cell"),
]
